import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { pruneEvents } from '../events/pruning/prune-events.ts'
import { authorityOf } from './authority.ts'
import { fanOutEvents } from './deliver/fan-out-events.ts'

const url = '/v1/webhooks'
const dayMs = 86_400_000

const replay = (api: TestApi, after: unknown) => api.post(`${url}/1/replay`, { after })

it('204: from any position of the log; 400: before it, behind it, or none, with a pointer', async () => {
  const { api, context, clock } = await startApp()
  await api.post(url, { url: 'https://shop.example/' })
  for (let made = 0; made < 5; made++) await api.createPet()
  clock.ms += 40 * dayMs
  await context.db.write(fanOutEvents, authorityOf(context))
  const limits = { ageMaxMs: 30 * dayMs, max: 3, deliveriesMax: 1_000 }
  await pruneEvents.runStep(context.db, clock.ms, limits)
  const events = (await api.get('/v1/events')).json() as { id: number }[]
  const [oldest, newest] = [(events[0]?.id ?? 0) - 1, events.at(-1)?.id ?? 0]
  assert.ok(oldest > 0)

  assert.equal((await replay(api, oldest)).status, 204)
  assert.equal((await replay(api, newest)).status, 204)
  for (const after of [0, oldest - 1, newest + 1]) {
    const refused = await api.post(
      `${url}/1/replay`,
      { after },
      { headers: { accept: 'application/problem+json' } },
    )
    assert.equal(refused.status, 400)
    const { code, errors } = refused.json() as { code: string; errors: object[] }
    const detail = `must be a position in the log of events, from ${oldest} to ${newest}; received ${after}`
    assert.deepEqual([code, errors], ['invalid_body', [{ pointer: '/after', detail }]])
  }
  for (const after of [-1, 1.5, '1', null, undefined])
    expectError(await replay(api, after), 400, 'invalid_body')
})
