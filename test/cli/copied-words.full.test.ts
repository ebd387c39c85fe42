import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { serveHere } from '../harness/serve-here.ts'
import { rowsIn } from '../harness/sqlite-file.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

/** Few enough for a search without a worker. */
const pets = 200
const searches = ['maine', 'a', 'c s', 'nobody']

async function run(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await petstoreInThread(args, { env })
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

/** The ids that each search finds in a store, once its names are indexed. */
async function searchIn(env: Record<string, string>, key: string): Promise<number[][]> {
  const service = await serveHere(env)
  await until(() => progressOf(env) === String(pets))
  const found: number[][] = []
  for (const words of searches) {
    const path = `pets?limit=100&search=${encodeURIComponent(words)}`
    const { text } = await ask(`${service.baseUrl}/${path}`, key)
    found.push((JSON.parse(text) as { id: number }[]).map(({ id }) => id))
  }
  await service.stop()
  return found
}

const pathOf = ({ PETSTORE_DATABASE = '' }: Record<string, string>) =>
  PETSTORE_DATABASE.replace('sqlite:', '')
const progressOf = (env: Record<string, string>) =>
  rowsIn(pathOf(env), 'select last_id from pet_words_progress')[0]
const countsOf = (path: string) =>
  ['pet_words', 'pet_words_progress'].flatMap((table) =>
    rowsIn(path, `select count(*) from ${table}`),
  )

async function anIndexedStore(t: TestContext) {
  const directory = aDirectory(t)
  const env = settingsFor(directory)
  await run(env, 'seed', '--count', String(pets))
  const key = await run(env, 'keys', 'create', '--name', 'first')
  const found = await searchIn(env, key)
  assert.notDeepEqual(countsOf(pathOf(env)), ['0', '0'])
  assert.deepEqual(
    found.map((ids) => ids.length > 0),
    [true, true, true, false],
  )
  return { directory, env, key, found }
}

it('backup, restore: neither the backup nor the restored store has the index; the same pets are found', async (t) => {
  const { directory, env, key, found } = await anIndexedStore(t)
  const file = join(directory, 'pets.backup')
  const restored = settingsFor(aDirectory(t))

  await run(env, 'backup', file)
  await run(restored, 'restore', file)

  assert.deepEqual(countsOf(file), ['0', '0'])
  assert.deepEqual(rowsIn(file, 'pragma freelist_count'), ['0'])
  assert.deepEqual(countsOf(pathOf(restored)), ['0', '0'])
  assert.deepEqual(await searchIn(restored, key), found)
})
