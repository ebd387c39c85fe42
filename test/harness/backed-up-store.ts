import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'
import { change } from './sqlite-file.ts'

/** How many pets are in the store. Of the ids that it assigned, the last belongs to a pet that was deleted. */
export const petCount = 40
export const lastPetId = petCount + 1

let original: string | undefined
let made: Promise<void> | undefined
after(() => original && rmSync(original, { recursive: true, force: true }))

/** A copy of a store with demo data and two keys, and of a backup of it; both are made once for all tests of a process. */
export async function aBackedUpStore(t: TestContext) {
  original ??= mkdtempSync(join(tmpdir(), 'petstore-backed-up-'))
  made ??= makeBackedUpStore(original)
  await made
  const [directory, folder] = [aDirectory(t), aDirectory(t)]
  const path = join(directory, 'petstore.db')
  for (const ending of ['', '.witness'])
    copyFileSync(join(original, `petstore.db${ending}`), path + ending)
  const file = join(folder, 'pets.backup')
  copyFileSync(join(original, 'pets.backup'), file)
  return { env: settingsFor(directory), directory, path, folder, file }
}

/** A store, and a backup `pets.backup` of it, in an empty folder. */
async function makeBackedUpStore(directory: string) {
  const env = settingsFor(directory)
  const run = async (...args: string[]) => {
    const { code, stderr } = await petstoreInThread(args, { env })
    assert.equal(code, 0, stderr)
  }
  await run('seed', '--count', String(petCount))
  await run('keys', 'create', '--name', 'first')
  await run('keys', 'create', '--name', 'second')
  change(join(directory, 'petstore.db'), [
    `insert into pets (name, name_key, category_id) values ('Rex', 'rex', 1)`,
    `delete from pets where id = ${lastPetId}`,
    'update keys set previous_hint = hint, previous_digest = zeroblob(32), previous_ends_at = 4e12 where id = 1',
    `insert into idempotency_keys values (1, 'createPet', 'k', zeroblob(32), '{"id":{"int64":"1"}}', 9e15, 20)`,
  ])
  await run('backup', join(directory, 'pets.backup'))
}

/** Runs `backup --json` to its end; returns what it printed. */
export async function backup(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(['backup', '--json', ...args], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, stderr, report: JSON.parse(stdout) }
}
