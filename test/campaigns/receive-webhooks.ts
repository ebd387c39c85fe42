/**
 * Receives webhooks on ports of its own: GOOD HANGING. Prints the ports, those that respond first, then those that accept and
 * never do; and at each line on its input what has come since the last one.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'

const [good = '', hanging = ''] = process.argv.slice(2)
let received = 0
let firstMs = 0
let lastMs = 0
let latenciesMs: number[] = []
let ids = new Set<string>()

const receive = () =>
  createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    response.writeHead(204).end()
    lastMs = performance.now()
    if (received === 0) firstMs = lastMs
    received += 1
    ids.add(`${request.socket.localPort} ${request.headers['webhook-id']}`)
    // The events of pets have no other instant.
    const [, at = ''] = /"createdAt":"([^"]+)"/.exec(text) ?? []
    latenciesMs.push(Date.now() - Date.parse(at))
  })

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ports = async (count: string, create: () => Server) =>
  await Promise.all(Array.from({ length: Number(count) }, () => listen(create())))

const hang = () => createRawServer((socket) => socket.on('error', () => undefined).resume())
console.log(
  JSON.stringify({ good: await ports(good, receive), hanging: await ports(hanging, hang) }),
)

createInterface({ input: process.stdin }).on('line', () => {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? null
  const seconds = (lastMs - firstMs) / 1_000
  console.log(
    JSON.stringify({ received, distinct: ids.size, seconds, p50: at(0.5), p99: at(0.99) }),
  )
  received = 0
  latenciesMs = []
  ids = new Set()
})
