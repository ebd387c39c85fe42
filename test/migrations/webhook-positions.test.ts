import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { cases } from '../harness/extent.ts'
import { anOldStore } from '../harness/old-stores.ts'
import { aReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'

for (const engine of cases(['sqlite', 'postgres'] as const, { quickEvery: 2 })) {
  it(`webhooks of an older store on ${engine} get what was due, and nothing that they have received`, async (t) => {
    const store = await anOldStore(t, engine, '0024_compare_category_names')
    const receivers = await Promise.all([1, 2, 3, 4].map(() => aReceiver(t)))
    const secret = engine === 'sqlite' ? 'zeroblob(32)' : "decode(repeat('00', 32), 'hex')"
    const [first, now] = [1, Date.now()]
    const valuesOf = (...rows: (string | number | null)[][]) =>
      rows.map((row) => `(${row.map((value) => value ?? 'null').join(', ')})`).join(', ')
    const event = ["'pet.created'", "'pet'", 1, now, "'{}'", `'{"type":"command","name":"seed"}'`]
    await store.run(`
      insert into events (type, record, record_id, created_at, data, actor)
        values ${valuesOf(event, event, event, event)};
      insert into webhooks (url, types, status, secret, created_at)
        values ${valuesOf(...receivers.map(({ url }, at) => [`'${url}'`, `'["pet.created"]'`, at === 3 ? "'paused'" : "'enabled'", secret, 0]))};
      insert into webhooks_resumed (id, resumed_at) values (1, 0);
      insert into webhook_queues (webhook_id, position, lease_ends_at, fence, failing_since)
        values ${valuesOf([1, first + 2, 0, 0, null], [2, first, 0, 0, 7], [3, first + 1, 0, 0, null], [4, first, 0, 0, null])};
      insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
        values ${valuesOf([1, first, "'pet.created'", "'pending'", now, 1, "'[]'"], [3, first, "'pet.created'", "'lost'", now, null, "'[]'"])}
    `)
    const app = await startApp({
      now: new Date(now).toISOString(),
      settings: { PETSTORE_DATABASE: store.address },
    })
    const webhooks = (await app.api.get('/v1/webhooks')).json() as Record<string, unknown>[]
    assert.equal(webhooks[1]?.failingSince, '1970-01-01T00:00:00.007Z')
    assert.equal(webhooks[3]?.missedAfter, first)

    await app.startJobs()

    const sent = () =>
      receivers.map(({ events }) =>
        events()
          .map(({ id }) => id - first)
          .sort(),
      )
    const expected = [[0, 3], [1, 2, 3], [2, 3], []]
    await until(() => sent().flat().length === expected.flat().length)
    assert.deepEqual(sent(), expected)
    const lost = (await app.api.get('/v1/webhooks/3/deliveries?status=failed')).json()
    assert.equal((lost as object[]).length, 1)
    await app.close()
  })
}
