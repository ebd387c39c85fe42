import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { startApp } from '../../test/harness/app.ts'
import { itInFull } from '../../test/harness/extent.ts'
import { loadConfig } from '../config/config.ts'
import { describeNewStore } from './new-store.ts'

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-new-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The messages of a start, in order. */
async function startOn(path: string, environment = 'production'): Promise<string[]> {
  const settings = { PETSTORE_DATABASE: `sqlite:${path}`, PETSTORE_ENVIRONMENT: environment }
  const { logLines, close } = await startApp({ settings })
  await close()
  return logLines.map((line) => JSON.parse(line).msg)
}

it('a start that creates a production store says so first', async (t) => {
  const mistyped = join(aFolder(t), 'pets.bd')

  const [first] = await startOn(mistyped)
  const [second] = await startOn(mistyped)

  assert.equal(
    first,
    `A new, empty production store is created: ${mistyped}. If there should be data, stop, and correct PETSTORE_DATABASE.`,
  )
  assert.doesNotMatch(second ?? '', /new, empty/)
})

itInFull(
  'a start says nothing of a new store of staging, in memory, or at the default place',
  async (t) => {
    const inStaging = await startOn(join(aFolder(t), 'pets.db'), 'staging')
    const inMemory = await startOn(':memory:')

    assert.deepEqual(
      [...inStaging, ...inMemory].filter((message) => /new, empty/.test(message)),
      [],
    )
    assert.equal(describeNewStore(loadConfig({}, {}).config), undefined)
  },
)
