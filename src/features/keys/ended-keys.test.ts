import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { runJobs } from '../../app/jobs.ts'
import { selectKeysRevision } from './queries.ts'

const yearMs = 365 * 86_400_000
const url = '/v1/keys'

it('401: a key that has ended is known for a year; then it is deleted, and only it', async () => {
  const { api, context, clock, issueKey, revokeKey } = await startApp()
  const revoked = await issueKey()
  const expiring = await issueKey({ validMs: 1_000 })
  const extended = await issueKey({ validMs: 1_000 })
  await revokeKey(revoked)
  await api.send('PATCH', `${url}/4`, { body: { expiresAt: '2030-01-01T00:00:00Z' } })
  const endings = [
    [revoked, yearMs, 'revoked_api_key'],
    [expiring, yearMs + 1_000, 'expired_api_key'],
  ] as const
  const startMs = clock.ms

  for (const [index, [key, endsMs, code]] of endings.entries()) {
    clock.ms = startMs + endsMs - 1
    const revision = await context.db.read(selectKeysRevision, undefined)
    await runJobs(context)
    assert.equal(await context.db.read(selectKeysRevision, undefined), revision)
    expectError(await api.get('/v1/pets', { key }), 401, code)
    assert.equal((await api.get(`${url}/${index + 2}`)).status, 200)
    clock.ms += 1
    await runJobs(context)
    expectError(await api.get('/v1/pets', { key }), 401, 'invalid_api_key')
    expectError(await api.get(`${url}/${index + 2}`), 404, 'not_found')
  }

  for (const key of [undefined, extended])
    assert.equal((await api.get('/v1/pets', key ? { key } : {})).status, 200)
  const events = (await api.get('/v1/events?type=key.deleted')).json() as { data: object }[]
  assert.deepEqual(
    events.map(({ data }) => data),
    [
      { ...events[0]?.data, id: 2 },
      { ...events[1]?.data, id: 3 },
    ],
  )
})
