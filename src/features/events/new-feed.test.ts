import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { crashStore } from '../../../test/harness/crashed-store.ts'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { itInFull } from '../../../test/harness/extent.ts'
import { twoPlaces } from '../../../test/harness/moved-stores.ts'
import { call } from '../../../test/harness/petstore.ts'
import { aDirectory } from '../../../test/processes/command.ts'
import { petstoreInThread } from '../../../test/processes/command-thread.ts'
import { startPetstore } from '../../start-petstore.ts'

type Event = { id: number; type: string; data: { name?: string } }

async function run(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(args, { env })
  assert.equal(code, 0, stdout + stderr)
}

const settingsOf = (address: string, environment = 'staging') => ({
  PETSTORE_ENVIRONMENT: environment,
  PETSTORE_DATABASE: address,
})

const serve = (env: Record<string, string>) => startApp({ settings: env })

/** From here on the log has all that the lists will not have. */
async function positionOf(api: TestApi): Promise<string> {
  const { headers } = await api.get('/v1/events?type=order.placed')
  return headers['petstore-position'] ?? 'none'
}

async function eventsOf(api: TestApi, query = ''): Promise<Event[]> {
  return (await api.get(`/v1/events?limit=100${query}`)).json() as Event[]
}

/** A store whose feed ends here. */
async function makeFeed(env: Record<string, string>, names: readonly string[]) {
  const app = await serve(env)
  for (const name of names) await app.api.createPet({ name })
  const events = await eventsOf(app.api)
  await app.close()
  return { events, last: events.at(-1)?.id ?? 0 }
}

/** The feed of a store is new: it has none of the earlier positions, and its ids go on above them. */
async function expectNewFeed(env: Record<string, string>, last: number) {
  const app = await serve(env)
  const position = await positionOf(app.api)
  const { id } = await app.api.createPet({ name: 'after' })
  const events = await eventsOf(app.api)
  const behind = await eventsOf(app.api, `&after=${position}`)

  for (const position of [0, 1, last])
    expectError(await app.api.get(`/v1/events?after=${position}`), 410, 'events_expired')
  assert.ok(
    events.every((event) => event.id > last + 1),
    `${events[0]?.id} ${last}`,
  )
  assert.deepEqual(
    behind.map(({ data }) => data.name),
    ['after'],
  )
  const next = await eventsOf(app.api, `&petId=${id}`)
  assert.deepEqual(
    next.map(({ type, data }) => [type, data.name]),
    [['pet.created', 'after']],
  )
  await app.close()
}

const backup = async (t: TestContext, env: Record<string, string>) => {
  const file = join(aDirectory(t), 'pets.backup')
  await run(env, 'backup', file)
  return file
}

itInFull(
  '410: restore begins a new feed: positions before it are gone, also the last one',
  async (t) => {
    const { other } = isOnPostgres ? await twoPlaces(t) : { other: `sqlite:${aDirectory(t)}/a.db` }
    const env = settingsOf(other)
    await makeFeed(env, ['a'])
    const file = await backup(t, env)
    const { last } = await makeFeed(env, ['b', 'c'])

    await run(env, 'restore', file, '--replace')

    await expectNewFeed(env, last)
    await run(env, 'verify')
  },
)

it('410: a restore to an empty place leaves room: what the lost store has told after the backup is gone for good', async (t) => {
  const { other } = isOnPostgres ? await twoPlaces(t) : { other: `sqlite:${aDirectory(t)}/new.db` }
  const lost = settingsOf(`sqlite:${aDirectory(t)}/a.db`)
  await makeFeed(lost, ['a'])
  const file = await backup(t, lost)
  const { last } = await makeFeed(lost, ['b', 'c'])

  await run(settingsOf(other), 'restore', file)

  const { events } = await makeFeed(settingsOf(other), ['d', 'e', 'f', 'g'])
  assert.ok(events.every(({ id }) => id > 1_000_000))
  await expectNewFeed(settingsOf(other), last)
})

itInFull('410: restore --skip-ids begins a new feed above as many', async (t) => {
  const env = settingsOf(`sqlite:${aDirectory(t)}/a.db`)
  const { last } = await makeFeed(env, ['a'])
  const file = await backup(t, env)
  const elsewhere = settingsOf(`sqlite:${aDirectory(t)}/b.db`)

  await run(elsewhere, 'restore', file, '--replace', '--skip-ids', '1000')

  await expectNewFeed(elsewhere, last + 1_000)
})

itInFull('410: recover begins a new feed, above what the log tells', async (t) => {
  const pets = 6
  const path = await crashStore(aDirectory(t), { pets })
  const log = readFileSync(`${path}-wal`)
  log[13_000] = (log[13_000] as number) ^ 4
  writeFileSync(`${path}-wal`, log)
  const env = settingsOf(`sqlite:${path}`, 'production')

  await run(env, 'recover')

  await expectNewFeed(env, pets)
  await run(env, 'verify')
})

it('a reset of the test bench ends a stream: its position is gone', async () => {
  await using store = await startPetstore()
  const headers = { authorization: `Bearer ${store.key}`, accept: 'text/event-stream' }
  const { body } = await fetch(`${store.baseUrl}/events`, { headers })
  const chunks = body?.[Symbol.asyncIterator]() ?? assert.fail()
  const { value } = await chunks.next()
  const [, position] = /id: (\d+)/.exec(new TextDecoder().decode(value)) ?? []

  await store.reset()
  await call(store, '/pets', { method: 'POST', body: { name: 'Tom', categoryId: 1 } })

  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
  assert.equal((await call(store, `/events?after=${position}`)).status, 410)
})

itInFull(
  '200: a store that moves there and back keeps its feed: a reader goes on from its position, and notices nothing',
  async (t) => {
    const { file, other } = await twoPlaces(t)
    await makeFeed(settingsOf(file), ['a'])
    let position = 0
    const read: Event[] = []
    for (const [from, to] of [
      [file, other],
      [other, `${file}-2`],
    ] as const) {
      await makeFeed(settingsOf(from), ['b', 'c'])
      const before = await serve(settingsOf(from))
      read.push(...(await eventsOf(before.api, `&after=${position}`)))
      position = read.at(-1)?.id ?? 0
      await before.api.createPet({ name: 'unread' })
      await before.close()
      const backup = join(aDirectory(t), 'last.backup')

      await run(settingsOf(from), 'backup', backup, '--last')
      await run(settingsOf(to), 'restore', backup)

      const after = await serve(settingsOf(to))
      await after.api.createPet({ name: 'moved' })
      read.push(...(await eventsOf(after.api, `&after=${position}`)))
      position = read.at(-1)?.id ?? 0
      await after.close()
    }
    const all = await serve(settingsOf(`${file}-2`))
    assert.deepEqual(read, (await eventsOf(all.api)).slice(0, read.length))
    const ids = read.map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((one, other) => one - other),
    )
    await all.close()
  },
)
