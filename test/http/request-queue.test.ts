import assert from 'node:assert/strict'
import { it } from 'node:test'
import { petsList } from '../../src/features/pets/queries.ts'
import { aPet, expectError, startApp } from '../harness/app.ts'
import { amount, itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { startInvented } from './start-invented.ts'
import { startListening } from './start-listening.ts'

/** What docs/operations/limits.md says. */
const runningMax = 256
const lineMax = 1_000
const keyFilesMax = 25

/** A service whose reads of pets wait for `release`; `begun` has the limits of their pages, in order. */
async function startHeld() {
  const app = await startApp()
  const begun: number[] = []
  const gate = Promise.withResolvers<void>()
  const { read } = app.context.db
  const held = async (...args: Parameters<typeof read>) => {
    if (args[0] !== petsList.select) return await read(...args)
    begun.push((args[1] as { page: { limit: number } }).page.limit)
    await gate.promise
    return await read(...args)
  }
  Object.assign(app.context.db, { read: held })
  return { ...app, begun, release: gate.resolve }
}

it('200, 503: keys take turns in one line; where it is full, the oldest of the key with most in it is refused', async () => {
  const { api, issueKey, begun, release } = await startHeld()
  const modest = await Promise.all(Array.from({ length: 9 }, () => issueKey()))
  const beyond = 20
  const settled: number[] = []

  const send = async (index: number) => {
    const answer = await api.get('/v1/pets?limit=1')
    settled.push(index)
    return answer
  }
  const first = Array.from({ length: runningMax }, (_, index) => send(index))
  await until(() => begun.length === runningMax)
  const others = Array.from({ length: lineMax + beyond }, (_, index) => send(runningMax + index))
  const greedy = [...first, ...others]
  await until(() => settled.length === beyond)
  const modestly = modest.map((key) => api.get('/v1/pets?limit=2', { key }))
  await until(() => settled.length === beyond + modest.length)
  const beforeRelease = [...begun]
  const health = await api.get('/v1/health/live')
  const wrong = await api.get('/v1/pets', { key: 'pet_test_1' })
  release()

  for (const answer of await Promise.all(modestly)) assert.equal(answer.status, 200)
  const answers = await Promise.all(greedy)
  const refused = settled.slice(0, beyond + modest.length).sort((a, b) => a - b)
  assert.deepEqual(
    refused,
    Array.from(refused, (_, index) => runningMax + index),
  )
  for (const index of refused) {
    const answer = answers[index]
    assert.ok(answer)
    expectError(answer, 503, 'unavailable')
    assert.ok(Number(answer.headers['retry-after']) >= 1)
  }
  assert.equal(answers.filter(({ status }) => status === 200).length, runningMax + lineMax - 9)
  assert.deepEqual(beforeRelease, Array(runningMax).fill(1))
  assert.deepEqual([health.status, wrong.status], [200, 401])
  const next = begun.slice(runningMax, runningMax + 10)
  assert.equal(next.filter((limit) => limit === 2).length, 9, `${next}`)
})

it('200, 201: slow bodies of a key, however many, hold up none of its other requests', async () => {
  const { open, post, exchange, get, expectServes } = await startListening()
  const body = JSON.stringify(aPet())
  const slow = await Promise.all(
    Array.from({ length: amount({ quick: 300, full: 800 }) }, async () => {
      const connection = await open()
      connection.send(post(`Content-Length: ${body.length}\r\n`, body.slice(0, 5)))
      return connection
    }),
  )

  for (let count = 0; count < 20; count++) {
    const created = await exchange(
      post(`Content-Length: ${body.length}\r\n`, body),
      'POST',
      '/v1/pets',
    )
    assert.equal(created.status, 201)
    assert.equal((await exchange(get(), 'GET', '/v1/pets')).status, 200)
  }
  await expectServes(20)
  for (const { socket } of slow) socket.destroy()
})

itInFull(
  '200: of requests that arrive at once only some are read in a turn of the event loop; a new connection does not wait for all',
  async () => {
    const many = 300
    const requestMs = 2
    const seen = { begun: 0, inTurn: 0, inTurnMax: 0 }
    const { open, get, receive, exchange } = await startListening(undefined, {
      prepare: ({ server }) => {
        server.addHook('onRequest', (_request, _reply, done) => {
          const before = process.cpuUsage()
          while (process.cpuUsage(before).user < requestMs * 1_000);
          if (seen.inTurn === 0) setImmediate(() => (seen.inTurn = 0))
          seen.begun++
          seen.inTurnMax = Math.max(seen.inTurnMax, ++seen.inTurn)
          done()
        })
      },
    })
    const health = get('', '/health/live')
    const connections = await Promise.all(Array.from({ length: many }, () => open()))
    // One is accepted in each turn, in their order.
    await exchange(health, 'GET', '/health/live')

    for (const connection of connections) connection.send(health)
    await exchange(health, 'GET', '/health/live')

    assert.ok(seen.begun < many / 2, `${seen.begun} before a new connection`)
    for (const connection of connections) {
      assert.equal((await receive(connection, 'GET', '/health/live')).status, 200)
      connection.socket.destroy()
    }
    assert.ok(seen.inTurnMax <= 40, `${seen.inTurnMax} in a turn`)
  },
)

it('503: a key has a quarter of all streams, and of all exports, in progress; other keys have theirs', async () => {
  const { open, get, issueKey, key, recorded } = await startInvented({
    PETSTORE_STREAMS_MAX: '8',
  })
  const other = await issueKey()
  const download = get('', '/v1/map.slow')
  const watch = get('', '/v1/weather.events')
  for (const [request, keyMax] of [
    [download, keyFilesMax],
    [watch, 2],
  ] as const) {
    const before = recorded.opened
    const held = await Promise.all(Array.from({ length: keyMax }, () => open()))
    for (const connection of held) connection.send(request)
    await until(() => recorded.opened === before + keyMax)

    await using refused = await open()
    refused.send(request)
    assert.equal((await refused.receive())?.status, 503)
    await using another = await open()
    another.send(request.replace(key, other))
    await until(() => recorded.opened === before + keyMax + 1)
    await held[0]?.reset()
    await until(async () => {
      await using again = await open()
      again.send(request)
      // A stream that is refused has its response at once; one that is served goes on.
      return recorded.opened > before + keyMax + 1
    })
    for (const { socket } of held) socket.destroy()
  }
})
