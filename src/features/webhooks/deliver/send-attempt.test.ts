import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import { it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { cases } from '../../../../test/harness/extent.ts'
import { until } from '../../../../test/harness/until.ts'
import { createSender } from './send-attempt.ts'
import { createTargets } from './targets.ts'

const body = Buffer.from('{"id":1}')
const headers = { 'webhook-id': '1' }

function aSender(t: TestContext, maxMs?: number) {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const targets = createTargets({ hosts: ['127.0.0.0/8'], resolve, isOwn: () => false })
  const sender = createSender(targets, maxMs)
  t.after(() => sender.close())
  return sender
}

async function listening(t: TestContext, server: Server | ReturnType<typeof createRawServer>) {
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A receiver that treats each connection so, and how many connections it has had. */
async function aReceiver(t: TestContext, serve: (socket: Socket) => void) {
  const seen = { connections: 0, closed: 0 }
  const server = createRawServer((socket) => {
    seen.connections += 1
    socket.on('error', () => undefined).once('close', () => (seen.closed += 1))
    t.after(() => socket.destroy())
    serve(socket)
  })
  return { url: `http://${await listening(t, server)}/hook`, seen }
}

/** A receiver that sends this to whatever arrives, and then waits. */
const respondingWith = (t: TestContext, ...chunks: (string | Buffer)[]) =>
  aReceiver(t, (socket) => {
    socket.once('data', () => {
      for (const chunk of chunks) socket.write(chunk)
    })
  })

it('an attempt is a POST of the body as it is, with the headers of the message', async (t) => {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers: received } = request
    requests.push([method, url, received['webhook-id'], received['content-type']])
    requests.push([received['accept-encoding'], Buffer.concat(await request.toArray()).toString()])
    response.writeHead(201).end('thanks')
  })
  const url = `http://${await listening(t, server)}/hook?a=b`

  const { durationMs, ...outcome } = await aSender(t).send({ url, headers, body })

  assert.deepEqual(outcome, {
    responseStatus: 201,
    responseBody: 'thanks',
  })
  assert.ok(durationMs >= 0)
  assert.deepEqual(requests, [
    ['POST', '/hook?a=b', '1', 'application/json'],
    ['identity', '{"id":1}'],
  ])
})

it('the first kilobyte of a response is kept as text, whatever it is; nothing is decompressed', async (t) => {
  const sender = aSender(t)
  const head = 'HTTP/1.1 500 No\r\nRetry-After: 7\r\n'
  for (const [sent, kept] of [
    [Buffer.from('\0\u0007\u001b[31mred'), '\0\u0007\u001b[31mred'],
    [Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    [Buffer.from('x'.repeat(1_023) + 'ž'.repeat(9)), 'x'.repeat(1_023)],
    [Buffer.alloc(0), ''],
  ] as const) {
    const { url } = await respondingWith(t, `${head}Content-Length: ${sent.length}\r\n\r\n`, sent)
    const outcome = await sender.send({ url, headers, body })
    assert.deepEqual(
      [outcome.responseStatus, outcome.responseBody ?? '', outcome.retryAfter],
      [500, kept, '7'],
    )
  }
  const zipped = gzipSync('a'.repeat(100_000))
  const { url } = await respondingWith(
    t,
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`,
    zipped,
  )
  const { responseBody } = await sender.send({ url, headers, body })
  assert.ok(responseBody?.startsWith('\u001f') && !responseBody.includes('aaaa'))
})

it('no redirect is followed', async (t) => {
  const other = await respondingWith(t, 'HTTP/1.1 200 OK\r\n\r\n')
  const { url } = await respondingWith(
    t,
    `HTTP/1.1 307 Go\r\nLocation: ${other.url}\r\nContent-Length: 0\r\n\r\n`,
  )

  assert.equal((await aSender(t).send({ url, headers, body })).responseStatus, 307)
  assert.equal(other.seen.connections, 0)
})

it('of an endless response 64 KiB are read, and its connection is closed', async (t) => {
  const start = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n'
  const { url, seen } = await respondingWith(t, start, 'y'.repeat(65_536))

  const outcome = await aSender(t).send({ url, headers, body })

  assert.deepEqual([outcome.responseStatus, outcome.responseBody], [200, 'y'.repeat(1_024)])
  assert.ok(outcome.durationMs < 14_000, 'The attempt waited for more.')
  await until(() => seen.closed === 1)
})

it('an attempt ends in time: without a response it failed, with the head of one its status decides', async (t) => {
  const silent = await respondingWith(t)
  const informing = await aReceiver(t, (socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
    socket.once('close', () => clearInterval(timer))
  })
  const headOnly = await respondingWith(t, 'HTTP/1.1 202 OK\r\nContent-Length: 9\r\n\r\nab')
  const sender = aSender(t, 300)
  const outcomeOf = async (url: string) => {
    const { responseStatus, error } = await sender.send({ url, headers, body })
    return [responseStatus, error]
  }

  const late = [undefined, 'There was no response within 0.3 s.']
  assert.deepEqual(await Promise.all([silent, informing].map(({ url }) => outcomeOf(url))), [
    late,
    late,
  ])
  assert.deepEqual(await outcomeOf(headOnly.url), [202, undefined])
})

it('a receiver that closes at each byte of the response: the status counts once the head is whole', async (t) => {
  const sender = aSender(t)
  const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const headEnd = response.indexOf('ok')
  const cuts = Array.from({ length: response.length + 1 }, (_, cut) => cut)
  const outcomes = await Promise.all(
    cuts.map(async (cut) => {
      const { url } = await aReceiver(t, (socket) => {
        socket.once('data', () => socket.end(response.slice(0, cut)))
      })
      return await sender.send({ url, headers, body })
    }),
  )

  for (const [cut, { responseStatus, error }] of outcomes.entries()) {
    assert.equal(responseStatus, cut < headEnd ? undefined : 200, String(cut))
    if (cut < headEnd) assert.match(error ?? '', /closed before a response|not valid HTTP/)
  }
})

it('a receiver that closes at each byte of the request: the attempt failed, and is made once', async (t) => {
  const sender = aSender(t)
  let length = 0
  const whole = await aReceiver(t, (socket) => {
    socket.on('data', (chunk) => {
      length += chunk.length
      if (String(chunk).includes(String(body)))
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
  })
  assert.equal((await sender.send({ url: whole.url, headers, body })).responseStatus, 200)
  const cuts = cases(
    Array.from({ length: length + 1 }, (_, cut) => cut),
    { quickEvery: 7 },
  )
  let cut = 0
  const { url, seen } = await aReceiver(t, (socket) => {
    const close = () => (cut % 2 === 0 ? socket.destroy() : socket.resetAndDestroy())
    if (cut === 0) close()
    else socket.on('readable', () => socket.read(cut) && close())
  })

  for (cut of cuts) {
    const { responseStatus, error } = await sender.send({ url, headers, body })
    assert.deepEqual(
      [responseStatus, error],
      [undefined, 'The connection was closed before a response.'],
    )
  }

  assert.equal(seen.connections, cuts.length)
})

it('failures are told in words', async (t) => {
  const sender = aSender(t)
  const closed = createServer()
  const refused = `http://${await listening(t, closed)}/`
  const reset = await aReceiver(t, (socket) => void socket.resetAndDestroy())
  const huge = await respondingWith(t, `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`)
  const garbage = await respondingWith(t, 'SSH-2.0-OpenSSH\r\n')
  const switching = await respondingWith(
    t,
    'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  )
  const [nothing, low] = await Promise.all(
    ['000', '099'].map((status) =>
      respondingWith(t, `HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nok`),
    ),
  )
  // Behind the others, which could get its port.
  closed.close()
  await once(closed, 'close')
  for (const [url, words] of [
    [nothing?.url ?? '', /^The response is not valid HTTP: its status is 0\.$/],
    [low?.url ?? '', /^The response is not valid HTTP: its status is 99\.$/],
    [refused, /^The connection was refused\.$/],
    [reset.url, /^The connection was closed before a response\.$/],
    [huge.url, /^The response is not valid HTTP: /],
    [garbage.url, /^The response is not valid HTTP: /],
    [switching.url, /^The connection was closed before a response\.$/],
    ['https://10.0.0.1/', /^10\.0\.0\.1 is not a public address\. /],
  ] as const) {
    const { error, responseStatus } = await sender.send({ url, headers, body })
    assert.match(error ?? '', words, url)
    assert.equal(responseStatus, undefined)
  }
})

it('connections are kept, and one that the receiver closes meanwhile is replaced', async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  const open: Socket[] = []
  const { url, seen } = await aReceiver(t, (socket) => {
    open.push(socket)
    socket.on('data', () => socket.write(ok))
  })
  const sender = aSender(t)
  const send = async () => (await sender.send({ url, headers, body })).responseStatus

  assert.deepEqual([await send(), await send(), seen.connections], [200, 200, 1])
  open[0]?.end()
  await until(() => seen.closed === 1)
  assert.deepEqual([await send(), seen.connections], [200, 2])
})
