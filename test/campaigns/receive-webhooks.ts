/**
 * Receives webhooks on ports of its own: GOOD HANGING. Prints the ports, those that respond first, then those that accept and
 * never do; and at each line on its input what has come since the last one.
 */
import { createServer } from 'node:http'
import { createServer as createRawServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { quantile } from '../../bench/statistics.ts'
import { listen } from '../harness/listen.ts'

const [good = '', hanging = ''] = process.argv.slice(2)
let latenciesMs: number[] = []
let ids = new Set<string>()

const receive = () =>
  createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    response.writeHead(204).end()
    ids.add(`${request.socket.localPort} ${request.headers['webhook-id']}`)
    // The events of pets have no other instant.
    const [, at = ''] = /"createdAt":"([^"]+)"/.exec(text) ?? []
    latenciesMs.push(Date.now() - Date.parse(at))
  })

const ports = async (count: string, create: () => Server) =>
  await Promise.all(Array.from({ length: Number(count) }, () => listen(create())))

const hang = () => createRawServer((socket) => socket.on('error', () => undefined).resume())
console.log(
  JSON.stringify({ good: await ports(good, receive), hanging: await ports(hanging, hang) }),
)

createInterface({ input: process.stdin }).on('line', () => {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latenciesMs, share))
  console.log(JSON.stringify({ distinct: ids.size, p50, p99 }))
  latenciesMs = []
  ids = new Set()
})
