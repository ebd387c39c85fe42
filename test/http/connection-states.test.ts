import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exchangeMoves, slotMoves } from '../../src/http/protocol/connection.ts'
import { expectError } from '../harness/app.ts'
import { impossibleMoves, unmadeMoves } from '../harness/moves.ts'
import { startTraced } from './start-traced.ts'

const expecting = 'Expect: 100-continue\r\nContent-Length: 29\r\n'
const unmade = [unmadeMoves(exchangeMoves), unmadeMoves(slotMoves)]

it('a connection is idle, busy while a request is unanswered, and ending from what is no request on', async () => {
  const { open, get, post, receive } = await startTraced()
  await using client = await open()

  client.send(post(expecting, ''))
  await client.exchanges('idle busy')
  client.send(`{"name":"Rex","categoryId":7}${get()}`)
  assert.equal((await receive(client, 'POST', '/v1/pets')).status, 201)
  assert.equal((await receive(client, 'GET', '/v1/pets')).status, 200)
  await client.exchanges('idle busy busy idle')
  client.send(`${get()}GARBAGE\r\n\r\n`)
  assert.equal((await receive(client, 'GET', '/v1/pets')).status, 200)
  expectError(await receive(client), 400, 'invalid_request')
  await client.exchanges('idle busy busy idle busy ending ending')
})

it('400: in a drain too, a request whose body cannot be read is the last of its connection', async () => {
  const { open, post, receive, connections } = await startTraced()
  await using client = await open()
  client.send(post('Transfer-Encoding: chunked\r\n', ''))
  await client.exchanges('idle busy')
  const hurry = new AbortController()

  const drained = connections.drain({ drainMs: 60_000, hurry: hurry.signal, cutOffMs: 60_000 })
  client.send('zz\r\nzz\r\n')

  expectError(await receive(client, 'POST', '/v1/pets'), 400, 'invalid_request')
  assert.equal(await client.receive(), undefined)
  await client.exchanges('idle busy ending ending ending')
  await using other = await open()
  hurry.abort()
  await other.exchanges('idle ending')
  await drained
})

it('a connection is unkeyed and then keyed, or extra, and refused where it needs a slot', async () => {
  const { open, get, post, receive } = await startTraced()
  const silent = await open()
  silent.socket.destroy()
  await silent.slots('unkeyed gone')
  await using idle = await open()
  idle.send(get())
  await receive(idle, 'GET', '/v1/pets')
  await using probe = await open()
  probe.send(get('', '/health/live'))
  assert.equal((await receive(probe, 'GET', '/health/live')).status, 200)
  await probe.slots('extra gone')
  await using busy = await open()
  busy.send(post(expecting, ''))
  await busy.slots('extra unkeyed keyed')
  await idle.slots('unkeyed keyed gone gone')
  await using refused = await open()
  refused.send(get())
  expectError(await receive(refused, 'GET', '/v1/pets'), 503, 'unavailable')
  await refused.slots('extra refused gone')
})

it('the tests above have made every move of a connection; any other is a defect', () => {
  assert.deepEqual(unmade, [new Set(), new Set()])
  assert.deepEqual(impossibleMoves(exchangeMoves), { idle: 'answered', ending: 'request' })
  assert.deepEqual(impossibleMoves(slotMoves), {
    extra: 'key',
    refused: 'place refuse key',
    unkeyed: 'place refuse',
    keyed: 'place refuse key',
    gone: 'place refuse key',
  })
})
