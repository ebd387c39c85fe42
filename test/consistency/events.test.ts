import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type AskedChange, EventLog, outcomeOfAll, requireEvents } from './events.ts'

// A sound log, of which one thing at a time is wrong.

const pet = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }
const order = { id: 5, petId: 1, quantity: 1, reference: 'sale 1', status: 'pending' }
const actor = { type: 'key', name: 'test' }

const created = { id: 1, type: 'pet.created', data: pet, actor, requestId: 'a' }
const placed = { id: 2, type: 'order.placed', data: order, actor, requestId: 'b' }
const shipped = {
  ...{ id: 3, type: 'order.shipped', data: { ...order, status: 'shipped' }, actor },
  ...{ previous: { status: 'pending' }, requestId: 'c' },
}
const sound = [created, placed, shipped]

const asked: AskedChange[] = [
  { type: 'pet.created', subject: 'Rex', outcome: 'acknowledged' },
  { type: 'order.placed', subject: 'sale 1', outcome: 'unknown' },
  { type: 'order.placed', subject: 'sale 2', outcome: 'unknown' },
  { type: 'order.shipped', subject: '5', outcome: 'acknowledged' },
  { type: 'order.cancelled', subject: '5', outcome: 'refused' },
]

type Wire = { id: number; type: string; data: object; actor: object; requestId: string }

/** A store with this log. */
function serve(events: readonly Wire[], pets: readonly object[] = [pet]) {
  const lists: Record<string, readonly object[]> = {
    '/v1/events': events,
    '/v1/pets': pets,
    '/v1/store/orders': [shipped.data],
    '/v1/inventory': [{ petId: 1, quantity: 1, status: 'available' }],
  }
  return {
    async get(path: string) {
      const { pathname, searchParams } = new URL(path, 'http://petstore.test')
      const after = Number(searchParams.get('after') ?? 0)
      const isLater = (record: object) => ('id' in record ? Number(record.id) : 1) > after
      return { status: 200, text: JSON.stringify((lists[pathname] ?? []).filter(isLater)) }
    },
  }
}

const expectAnomaly = (
  message: RegExp,
  { events = sound, changes = asked, refused = [] as string[] },
) => {
  const log = new EventLog()
  for (const id of refused) log.noteRefused({ headers: { 'x-request-id': id } })
  return assert.rejects(requireEvents(serve(events), log, changes), message)
}

it('a log with the events of all that was acknowledged, of which the lists follow, is sound', async () => {
  const log = new EventLog()
  log.noteRefused({ headers: { 'x-request-id': 'd' } })

  await requireEvents(serve(sound), log, asked)
})

it('an acknowledged change without an event is waited for, and then missing', async () => {
  const log = new EventLog()

  await log.read(serve([created, placed]))
  const missing = log.compare(asked)
  await requireEvents(serve(sound), log, asked)

  assert.deepEqual(missing, ['no event: order.shipped of 5 was acknowledged'])
})

it('a change has one event, also where its outcome is unknown', async () => {
  await expectAnomaly(/second event: order.placed of sale 1 has 2/, {
    events: [...sound, { ...placed, id: 4, data: { ...order, id: 6 } }],
  })
})

it('nothing that was refused has an event', async () => {
  await expectAnomaly(/refused event: request c was refused, and has an event/, { refused: ['c'] })
  await expectAnomaly(/refused event: order.shipped of 5 was refused, and has one/, {
    changes: [{ type: 'order.shipped', subject: '5', outcome: 'refused' }],
  })
})

it("a record's events have the order of its changes", async () => {
  await expectAnomaly(/event order: 2, order.shipped 5/, {
    events: [created, { ...shipped, id: 2 }, { ...placed, id: 3 }],
  })
  await expectAnomaly(/event order: 2 after 4/, {
    events: [created, { ...placed, id: 4 }, { ...shipped, id: 2 }],
  })
})

it('a mirror that differs from the lists is not sound', async (t) => {
  t.mock.method(performance, 'now', ticking(60_000))
  const log = new EventLog()

  await assert.rejects(
    requireEvents(serve(sound, [{ ...pet, name: 'Max' }]), log, asked),
    /mirror: pet 1 is not as its list says/,
  )
})

it('one change that was requested several times was acknowledged, refused, or nobody knows', () => {
  assert.equal(outcomeOfAll(['unknown', 'acknowledged', 'refused']), 'acknowledged')
  assert.equal(outcomeOfAll(['refused', 'unknown']), 'unknown')
  assert.equal(outcomeOfAll(['refused']), 'refused')
})

/** A clock that has moved by so much whenever somebody looks. */
function ticking(stepMs: number): () => number {
  let now = 0
  return () => (now += stepMs)
}
