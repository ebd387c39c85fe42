/**
 * Sends requests that each have another wrong key: PORT RATE SECONDS. Prints how many it sent, and how many responses had
 * a 401, and another status. Those that wait at the end are not responded to.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemRandom } from '../../src/context/context.ts'
import { mintKey } from '../../src/features/keys/key-format.ts'

const [port = 0, rate = 0, seconds = 0] = process.argv.slice(2).map(Number)
const connections = 64

const sockets = await Promise.all(
  Array.from({ length: connections }, async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    return socket
  }),
)
let sent = 0
let refused = 0
let others = 0
for (const socket of sockets) countRefused(socket)

const startMs = performance.now()
let passedMs = 0
while (passedMs < seconds * 1_000) {
  const due = Math.floor((passedMs * rate) / 1_000)
  while (sent < due) {
    sockets[sent % connections]?.write(requestWithWrongKey())
    sent++
  }
  await sleep(5)
  passedMs = performance.now() - startMs
}
console.log(JSON.stringify({ sent, refused, others }))
process.exit(0)

function requestWithWrongKey(): string {
  const key = mintKey('production', systemRandom)
  return `GET /v1/pets/7 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

function countRefused(socket: Socket): void {
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const [begin = '', ...parts] = (rest + chunk).split('HTTP/1.1 ')
    const last = parts.at(-1) ?? begin
    const isWhole = last.length >= 3
    const statuses = isWhole ? parts : parts.slice(0, -1)
    const wrong = statuses.filter((part) => part.startsWith('401')).length
    refused += wrong
    others += statuses.length - wrong
    rest = isWhole || parts.length === 0 ? last.slice(-9) : `HTTP/1.1 ${last}`
  })
}
