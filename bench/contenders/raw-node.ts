import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Recording } from '../harness/record.ts'
import { sayReady } from './parts.ts'

/** The least that Node can do: sends the recorded bytes and headers of our service from memory and checks nothing. */
const recording: Recording = JSON.parse(readFileSync(process.env.BENCH_RECORDING ?? '', 'utf8'))
const answers = new Map(
  Object.entries(recording.answers).map(([path, { headers, body }]) => [
    path,
    { headers: headers.flat(), body: Buffer.from(body) },
  ]),
)
const createdHeaders = recording.created.headers
  .filter(([name]) => name !== 'content-length')
  .flat()
let created = 0

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      created += 1
      const body = Buffer.from(
        JSON.stringify({ id: created, ...JSON.parse(String(Buffer.concat(chunks))) }),
      )
      response.writeHead(201, [...createdHeaders, 'content-length', String(body.length)]).end(body)
    })
    return
  }
  const answer = answers.get(request.url ?? '')
  if (answer) response.writeHead(200, answer.headers).end(answer.body)
  else response.writeHead(404).end()
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => sayReady((server.address() as { port: number }).port))
