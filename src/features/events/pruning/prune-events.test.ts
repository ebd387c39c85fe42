import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApp } from '../../../../test/harness/app.ts'
import { itInFull } from '../../../../test/harness/extent.ts'
import { runJobs } from '../../../app/jobs.ts'
import { insertPets } from '../../pets/queries.ts'
import { pruneEvents } from './prune-events.ts'

const dayMs = 24 * 3_600_000

type Event = { id: number; type: string; data: { name?: string } }

async function eventsOf({ api }: TestApp, query: string): Promise<Event[]> {
  return (await api.get(`/v1/events?${query}`)).json() as Event[]
}

async function walk(app: TestApp): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const after = ids.length === 0 ? '' : `&after=${ids.at(-1)}`
    const page = await eventsOf(app, `limit=100${after}`)
    if (page.length === 0) return ids
    ids.push(...page.map(({ id }) => id))
  }
}

/** At the time of the machine. */
async function createPets({ context: { db } }: TestApp, count: number) {
  const newPet = { name: 'Rex', categoryId: 7n }
  await Promise.all(Array.from({ length: count }, () => db.write(insertPets, newPet)))
}

const start = (settings: Record<string, string> = {}) => startApp({ settings })

it('410: events are deleted once they are as old as the setting says; the last one stays', async () => {
  const app = await start({ PETSTORE_EVENTS_KEEP_DAYS: '2' })
  await app.api.createPet({ name: 'first' })
  const [first] = await eventsOf(app, 'type=pet.created')
  app.clock.ms += dayMs
  await app.api.createPet({ name: 'second' })
  // The test's key was issued at the time of the machine.
  await runJobs(app.context)
  const before = await walk(app)

  app.clock.ms += dayMs - 1
  await runJobs(app.context)
  assert.deepEqual(await walk(app), before)
  app.clock.ms += 1
  await runJobs(app.context)

  const left = await eventsOf(app, '')
  assert.deepEqual(
    left.map(({ data }) => data.name),
    ['second'],
  )
  const gone = await app.api.get(`/v1/events?after=${Number(before[0]) - 1}`)
  expectError(gone, 410, 'events_expired')
  assert.match(gone.text, new RegExp(`oldest event is ${left[0]?.id}\\b`))
  expectError(await app.api.get(`/v1/events/${first?.id}`), 404, 'not_found')
  const [position] = before.slice(-2)
  assert.deepEqual(await eventsOf(app, `after=${position}`), left)
  app.clock.ms += 100 * dayMs
  await runJobs(app.context)
  assert.deepEqual(await walk(app), [left[0]?.id])
  const none = await app.api.get('/v1/events?type=order.placed')
  const end = none.headers['petstore-position']
  assert.deepEqual([none.json(), end], [[], String(left[0]?.id)])
  await app.api.createPet({ name: 'third' })
  const behind = await eventsOf(app, `after=${end}`)
  assert.deepEqual(
    behind.map(({ data }) => data.name),
    ['third'],
  )
})

itInFull(
  '410: events are deleted beyond the number of the setting, the oldest first, in steps of 500',
  async () => {
    const app = await start({ PETSTORE_EVENTS_MAX: '1000', PETSTORE_EVENTS_KEEP_DAYS: '3650' })
    await createPets(app, 1_600)
    const before = await walk(app)
    const { db, clock, logLimits } = app.context
    const step = () => pruneEvents.runStep(db, clock(), logLimits)

    assert.equal(await step(), true)
    assert.deepEqual(await walk(app), before.slice(500))
    await runJobs(app.context)

    assert.deepEqual(await walk(app), before.slice(-1_000))
    const [last] = before.slice(-1_001)
    expectError(await app.api.get(`/v1/events?after=${(last ?? 0) - 1}`), 410, 'events_expired')
    assert.equal(await step(), false)
    await app.api.createPet()
    await runJobs(app.context)
    assert.deepEqual((await walk(app)).length, 1_000)
  },
)

itInFull('two processes that delete at once delete no more', async () => {
  const app = await start({ PETSTORE_EVENTS_MAX: '1000', PETSTORE_EVENTS_KEEP_DAYS: '3650' })
  await createPets(app, 1_100)

  await Promise.all([runJobs(app.context), runJobs(app.context), runJobs(app.context)])

  assert.equal((await walk(app)).length, 1_000)
})
