import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { clientOf } from '../../harness/console-state.ts'

const changes = 20
/** What others change is there within half a second. */
const shownMaxMs = 500

/** The time from the response to another client until the console shows its change. */
export async function measureLive(browser: Browser): Promise<void> {
  await using petstore = await startPetstore({ seed: 300 })
  const { origin } = new URL(petstore.baseUrl)
  const { page, problems } = await openConsole(browser, { origin, path: 'console/pets' })
  await signIn(page, petstore.key)
  await rowOf(page, 1).waitFor()

  const times: number[] = []
  for (let change = 1; change <= changes; change++) {
    const name = `Changed by another ${change}`
    // At another moment of the stream each time.
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${(change * 277) % 1_500}))`)
    await clientOf(petstore).pets.update(1 + (change % 10), { name })
    const startMs = performance.now()
    await rowOf(page, 1 + (change % 10))
      .getByText(name, { exact: true })
      .waitFor()
    times.push(Math.round(performance.now() - startMs))
  }
  await page.context().close()

  times.sort((one, other) => one - other)
  const [median, most = 0] = [times[times.length >> 1], times.at(-1)]
  console.log(`a change by others is shown after ${median} ms in the median, ${most} ms at most`)
  assert.deepEqual(problems, [])
  assert.ok(most <= shownMaxMs, `${most} ms`)
}
