import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PetstoreClient } from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { example } from '../harness/documents.ts'
import { until } from '../harness/until.ts'
import { aDirectory, spawnCommand } from '../processes/command.ts'

// The programs of docs/examples/events/.

const client = new URL('../../client/src/index.ts', import.meta.url).href

const mirrorProgram = { file: 'mirror.ts', command: process.execPath }

async function start(t: TestContext) {
  const store = await startPetstore()
  t.after(() => store.close())
  return { store, client: new PetstoreClient(store) }
}

/** Saves a program, and runs it in `folder`. */
function run(
  t: TestContext,
  { file, command }: { file: string; command: string },
  { baseUrl, key, folder }: { baseUrl: string; key: string; folder: string },
) {
  const path = join(folder, file)
  writeFileSync(path, example(`events/${file}`).replace("'petstore-client'", `'${client}'`))
  return spawnCommand(t, [command, path], { cwd: folder, env: { STORE: baseUrl, API_KEY: key } })
}

it('ts: the mirror follows the catalogue', async (t) => {
  const { store, client } = await start(t)
  const rex = await client.pets.create({ name: 'Rex', categoryId: 7 })
  const mirror = run(t, mirrorProgram, { ...store, folder: aDirectory(t) })
  await mirror.waitFor(/\[ 'Rex' \]/)

  await client.pets.create({ name: 'Sunny', categoryId: 7 })
  await mirror.waitFor(/\[ 'Rex', 'Sunny' \]/)
  await client.pets.update(rex.id, { name: 'Max' })
  await mirror.waitFor(/\[ 'Max', 'Sunny' \]/)
  await client.pets.delete(rex.id)

  await mirror.waitFor(/\[ 'Sunny' \]/)
  assert.equal(mirror.output.stderr, '')
})

it('ts: the mirror begins anew after a gap', async (t) => {
  const { store, client } = await start(t)
  await client.pets.create({ name: 'Rex', categoryId: 7 })
  const mirror = run(t, mirrorProgram, { ...store, folder: aDirectory(t) })
  await mirror.waitFor(/\[ 'Rex' \]/)

  await store.reset('empty')
  await mirror.waitFor(/\[\]/)
  // Also from a log without events it follows, and does not read the lists again and again.
  await sleep(2_500)
  await client.pets.create({ name: 'Tara', categoryId: 7 })

  await mirror.waitFor(/\[ 'Tara' \]/)
  assert.deepEqual(mirror.output.stdout.match(/\[\]/g), ['[]'])
})

it('python: each sale is handled, also of the time between two runs', async (t) => {
  const { store, client } = await start(t)
  const folder = aDirectory(t)
  const program = { file: 'sales.py', command: 'python3' }
  const pets = ['a', 'b', 'c'].map((name) => ({
    name,
    categoryId: 7,
    status: 'available' as const,
  }))
  for (const pet of pets) await client.pets.create(pet)
  const first = run(t, program, { ...store, folder })
  // It begins with the next order after its start, which it has a position for.
  await until(() => existsSync(join(folder, 'sales.position')))
  await client.orders.create({ petId: 1 })
  await first.waitFor(/Pack pet 1 for order \d+/)
  await first.stop('SIGINT')
  await client.orders.create({ petId: 2 })

  const second = run(t, program, { ...store, folder })
  await second.waitFor(/Pack pet 2 for order \d+/)
  await client.orders.create({ petId: 3 })
  await second.waitFor(/Pack pet 3 for order \d+/)

  assert.equal(second.output.stderr, '')
  assert.equal(second.output.stdout.split('pet 2').length, 2)
})

it('bash: prints the data of each event, and ends where the key is refused', async (t) => {
  const { store, client } = await start(t)
  const folder = aDirectory(t)
  const program = { file: 'follow.sh', command: 'bash' }
  const key = await store.issueKey({ scopes: ['pets:read'] })
  const follow = run(t, program, { ...store, key, folder })
  const printed = follow.waitFor(/^\{"id":\d+,"type":"pet\.created".*"name":"Rex".*\}\n/)
  let isPrinted = false
  void printed.finally(() => (isPrinted = true))
  while (!isPrinted) await client.pets.create({ name: 'Rex', categoryId: 7 })
  await printed

  const revoked = await store.issueKey({ revoked: true })
  const refused = run(t, program, { ...store, key: revoked, folder })
  const [code] = await once(refused.child, 'close')

  assert.equal(code, 1)
  assert.match(refused.output.stderr, /401/)
})
