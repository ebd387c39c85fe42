import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { aBackedUpStore } from '../../test/harness/backed-up-store.ts'
import { Unavailable } from '../db/errors.ts'
import { runInWorker } from './worker-client.ts'

it('a database that cannot be reached is no defect of the program, in a thread of its own too', async (t) => {
  const { directory, file } = await aBackedUpStore(t)
  const module = join(directory, 'storage.ts')
  const errors = new URL('../db/errors.ts', import.meta.url)
  writeFileSync(
    module,
    `import { Unavailable } from '${errors}'
const get = () => { throw new Unavailable('It cannot be reached now.') }
export const storage = new Proxy({}, { get })
`,
  )

  const task = { name: 'check', input: file } as const
  const failing = runInWorker({ storageUrl: pathToFileURL(module).href }, task, () => undefined)

  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof Unavailable, String(error))
    assert.equal(error.message, 'It cannot be reached now.')
    return true
  })
})
