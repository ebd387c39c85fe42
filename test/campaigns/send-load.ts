/**
 * Sends creates and orders of what was created, in turns: one argument, a `Load` as JSON. Prints a `Sent` as JSON.
 * Without a rate each connection sends its next request when it has the response to the last (a closed loop). With one,
 * requests are due at that rate; one that is due while all connections wait for a response is not sent.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/statistics.ts'

export type Load = {
  port: number
  seconds: number
  groups: readonly { key: string; connections: number }[]
  ratePerSecond?: number
}

export type Sent = {
  /** Of each: the 2xx within a second, other responses, and the p99 of all in milliseconds. */
  groups: readonly { useful: number; late: number; refused: number; p99Ms: number }[]
  /** Which part of the time this process had a processor. At 1 it limits what it measures. */
  busy: number
}

const usefulMaxMs = 1_000

const { port, seconds, groups, ratePerSecond } = JSON.parse(process.argv[2] ?? '{}') as Load
let endMs = Number.NaN
const idle: (() => void)[] = []

const sent: Sent = await Promise.all(
  groups.map(async ({ key, connections }) => {
    const seen = { useful: 0, late: 0, refused: 0, times: [] as number[] }
    await Promise.all(Array.from({ length: connections }, () => open(key, seen)))
    return seen
  }),
).then(async (all) => {
  // Connections are opened before, however many they are.
  const before = process.cpuUsage()
  endMs = performance.now() + seconds * 1_000
  if (ratePerSecond === undefined) for (const begin of idle.splice(0)) begin()
  else await sendAtRate(ratePerSecond)
  await sleep(Math.max(0, endMs - performance.now()))
  const { user, system } = process.cpuUsage(before)
  return {
    groups: all.map(({ times, ...counted }) => ({ ...counted, p99Ms: quantile(times, 0.99) })),
    busy: (user + system) / 1e6 / seconds,
  }
})
console.log(JSON.stringify(sent))
process.exit(0)

async function sendAtRate(rate: number) {
  const startMs = performance.now()
  let due = 0
  while (performance.now() < endMs) {
    const passed = Math.floor(((performance.now() - startMs) * rate) / 1_000)
    for (; due < passed; due++) idle.shift()?.()
    await sleep(2)
  }
}

type Seen = { useful: number; late: number; refused: number; times: number[] }

/** Opens a connection that is ready to send. */
async function open(key: string, seen: Seen) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let created: string | undefined
  let sentMs = 0
  let received = ''

  function begin() {
    if (performance.now() >= endMs) return
    sentMs = performance.now()
    const [path, body] = created
      ? ['store/orders', `{"petId":${created}}`]
      : ['pets', '{"name":"Rex","categoryId":7,"status":"available"}']
    socket.write(
      `POST /v1/${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body?.length}\r\n\r\n${body}`,
    )
  }

  function end(status: number, body: string) {
    const tookMs = performance.now() - sentMs
    seen.times.push(tookMs)
    const isGood = status >= 200 && status < 300
    if (!isGood) seen.refused++
    else if (tookMs > usefulMaxMs) seen.late++
    else seen.useful++
    created = created || !isGood ? undefined : /"id":(\d+)/.exec(body)?.[1]
    if (ratePerSecond === undefined) begin()
    else idle.push(begin)
  }

  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (bodyAt < 4 || received.length < bodyAt + length) return
    const [status, body] = [Number(received.slice(9, 12)), received.slice(bodyAt)]
    received = ''
    end(status, body)
  })
  socket.on('error', () => seen.refused++)
  idle.push(begin)
}
