import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { expectSound } from '../../harness/console-page.ts'
import type { OpenPage } from '../../harness/docs-page.ts'

const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

/** Opens a page in a window of its own, and leads to what is shown. */
export type Open = (options: BrowserContextOptions) => Promise<OpenPage>

/**
 * Shows each state at a desk and on a phone, in both colour schemes, with a picture of each in `coverage/FOLDER/`. Throws where axe,
 * the browser or the policy finds anything, or a page is wider than its window.
 */
export async function showEach(
  folder: string,
  states: Readonly<Record<string, Open>>,
  only: string,
): Promise<void> {
  const pictures = join('coverage', folder)
  mkdirSync(pictures, { recursive: true })
  let count = 0
  const faults: string[] = []
  for (const [size, options] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [state, open] of Object.entries(states)) {
        const name = `${state}-${size}-${colorScheme}`
        if (!name.includes(only)) continue
        count += 1
        const found = await show(name, join(pictures, `${name}.png`), () =>
          open({ ...options, colorScheme, reducedMotion: 'reduce' }),
        )
        for (const fault of found) console.error(fault)
        faults.push(...found)
      }
    }
  }
  assert.equal(faults.length, 0, `${faults.length} faults`)
  console.log(
    `${count} states: nothing found by axe, no error, no report of the policy; see ${pictures}/`,
  )
}

async function show(
  name: string,
  picture: string,
  open: () => Promise<OpenPage>,
): Promise<string[]> {
  try {
    const { page, problems } = await open()
    await expectSound(page, name, picture)
    await page.context().close()
    return problems.map((problem) => `${name}: ${problem}`)
  } catch (error) {
    return [`${name}: ${error}`]
  }
}
