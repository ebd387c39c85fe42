import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'

const url = '/v1/webhooks'

it('200: pages of webhooks, with the count on request; no secret', async () => {
  const { api } = await startApp()
  for (const name of ['a', 'b', 'c']) await api.post(url, { url: `https://${name}.example/` })
  const idsIn = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id)

  const first = await api.get(`${url}?limit=2`, { headers: { prefer: 'count=exact' } })
  const [, next = ''] = /<http:\/\/petstore\.test([^>]+)>/.exec(first.headers.link ?? '') ?? []
  const second = await api.get(next)

  assert.deepEqual([idsIn(first.text), idsIn(second.text)], [[1, 2], [3]])
  assert.equal(first.headers['x-total-count'], '3')
  assert.doesNotMatch(first.text, /secret|whsec/)
})

it('200: a webhook whose key has ended says so; its event does not', async () => {
  const { api, issueKey, revokeKey } = await startApp()
  const maker = await issueKey({ scopes: ['webhooks:manage'] })
  const sent = { url: 'https://a.example/' }
  const created = (await api.post(url, sent, { key: maker })).json() as Record<string, unknown>
  await api.post(url, sent)

  await revokeKey(maker)

  const { secret, ...known } = created
  const blocked = { ...known, blockedReason: 'key_ended' }
  const listed = (await api.get(url)).json() as object[]
  assert.deepEqual(listed[0], blocked)
  assert.deepEqual(Object.keys(listed[1] ?? {}).includes('blockedReason'), false)
  assert.deepEqual((await api.get(`${url}/1`)).json(), blocked)
  const body = { description: 'Old' }
  const changed = await api.send('PATCH', `${url}/1`, { body })
  assert.deepEqual(changed.json(), { ...blocked, ...body })
  const [event] = (await api.get('/v1/events?type=webhook.updated')).json() as { data: object }[]
  assert.deepEqual(event?.data, { ...known, ...body })
})
