import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const url = '/v1/webhooks'

it('204: records an event of the webhook', async () => {
  const { api } = await startApp()
  await api.post(url, { url: 'https://shop.example/', types: ['order.placed'] })

  assert.equal((await api.send('POST', `${url}/1/test`)).status, 204)

  const webhook = (await api.get(`${url}/1`)).json()
  const events = (await api.get('/v1/events?type=webhook.tested')).json() as { data: unknown }[]
  assert.deepEqual(
    events.map(({ data }) => data),
    [webhook],
  )
})

it('409: a paused webhook is not tested; 204: once it is enabled', async () => {
  const { api } = await startApp()
  await api.post(url, { url: 'https://shop.example/' })
  const test = () => api.send('POST', `${url}/1/test`)

  await api.send('PATCH', `${url}/1`, { body: { status: 'paused' } })
  expectError(await test(), 409, 'webhook_not_enabled')
  assert.deepEqual((await api.get('/v1/events?type=webhook.tested')).json(), [])
  await api.send('PATCH', `${url}/1`, { body: { status: 'enabled' } })
  assert.equal((await test()).status, 204)
})
