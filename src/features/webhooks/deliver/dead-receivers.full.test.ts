import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { it, type TestContext } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { listen } from '../../../../test/harness/listen.ts'
import { aReceiver, idsOf } from '../../../../test/harness/receiver.ts'
import { createWebhook, deliveriesOf, startSending } from '../../../../test/harness/sending.ts'
import { until } from '../../../../test/harness/until.ts'
import { freePort } from '../../../../test/processes/command.ts'
import { queryOnce } from '../../../db/records/rows.ts'

const types = ['pet.created']

async function aRefusingUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/hook`
}

/** Accepts connections and never responds; `connections` is how many were open at the same time. */
async function aHangingReceiver(t: TestContext) {
  let [open, most] = [0, 0]
  const server = createServer((socket) => {
    open += 1
    most = Math.max(most, open)
    socket.on('close', () => (open -= 1))
    socket.on('error', () => undefined).resume()
    t.after(() => socket.destroy())
  })
  const port = await listen(server)
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${port}/hook`, connections: () => most }
}

it('ten receivers wait for no attempt of 40 dead ones, which have eight connections each at most', async (t) => {
  const app = await startSending()
  const hanging = await Promise.all(Array.from({ length: 20 }, () => aHangingReceiver(t)))
  const dead = [
    ...hanging.map(({ url }) => url),
    ...(await Promise.all(Array.from({ length: 20 }, aRefusingUrl))),
  ]
  const deadWebhooks = await Promise.all(dead.map((url) => createWebhook(app, { url, types })))
  const good = await Promise.all(Array.from({ length: 10 }, () => aReceiver(t)))
  for (const { url } of good) await createWebhook(app, { url, types })

  for (let made = 0; made < 50; made++) {
    await app.api.createPet()
    await until(() => good.every(({ received }) => received.length === made + 1))
  }

  const [first = assert.fail()] = deadWebhooks
  await until(async () => (await deliveriesOf(app, first)).length === 50)
  // A slow machine may take longer than the 15 s after which an attempt ends.
  for (const webhook of deadWebhooks.slice(0, hanging.length)) {
    const ended = (await deliveriesOf(app, webhook)).flatMap(({ attempts }) => attempts)
    assert.ok(ended.length < 25, String(ended.length))
  }
  const connections = hanging.map((one) => one.connections())
  assert.ok(
    connections.every((count) => count >= 1 && count <= 8),
    String(connections),
  )
})

it('10,000 events for a dead receiver: few of them are in memory, and another one gets all', async (t) => {
  const app = await startApp()
  const { read, write } = app.context.db
  let most = 0
  const writing: typeof write = async (named, ...rest) => {
    const value = await write(named, ...rest)
    if (named.name === 'exchangeDeliveries')
      most = Math.max(most, (value as unknown as object[]).length)
    return value
  }
  const dead = await createWebhook(app, { url: await aRefusingUrl(), types })
  const receiver = await aReceiver(t)
  await createWebhook(app, { url: receiver.url, types })
  const insertEvents = queryOnce(async (sql) => {
    await sql.all(
      `with recursive numbers(number) as (
        select 1 union all select number + 1 from numbers where number < 10000
      )
      insert into events (type, record, record_id, created_at, data, actor)
      select 'pet.created', 'pet', number, 0, '{}', '{}' from numbers`,
    )
  })
  await read(insertEvents, undefined)
  Object.assign(app.context.db, { write: writing })

  await app.startJobs()
  for (let count = 1_000; count <= 10_000; count += 1_000)
    await until(() => receiver.received.length >= count)

  assert.equal(idsOf(receiver.received).length, 10_000)
  assert.ok(most > 0 && most <= 400, `${most} deliveries were taken at once`)
  const pending = `/v1/webhooks/${dead.id}/deliveries?status=pending&limit=1`
  await until(async () => {
    const { headers } = await app.api.get(pending, { headers: { prefer: 'count=exact' } })
    return headers['x-total-count'] === '10000'
  })
})
