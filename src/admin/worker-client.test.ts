import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { aDirectory } from '../../test/processes/command.ts'
import { petstoreInThread } from '../../test/processes/command-thread.ts'
import { settingsFor, startService } from '../../test/processes/process.ts'
import { Unavailable } from '../db/errors.ts'
import { runInWorker } from './worker-client.ts'

it('a database that cannot be reached is no defect of the program, in a thread of its own too', async (t) => {
  const directory = aDirectory(t)
  const backup = join(directory, 'pets.backup')
  const env = settingsFor(directory)
  await (await startService({ env })).stop()
  assert.equal((await petstoreInThread(['backup', backup], { env })).code, 0)
  const module = join(directory, 'storage.ts')
  const errors = new URL('../db/errors.ts', import.meta.url)
  writeFileSync(
    module,
    `import { Unavailable } from '${errors}'
const get = () => { throw new Unavailable('It cannot be reached now.') }
export const storage = new Proxy({}, { get })
`,
  )

  const task = { name: 'check', input: backup } as const
  const failing = runInWorker({ storageUrl: pathToFileURL(module).href }, task, () => undefined)

  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof Unavailable, String(error))
    assert.equal(error.message, 'It cannot be reached now.')
    return true
  })
})
