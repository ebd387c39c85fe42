import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { parse } from 'node:querystring'
import { Ajv } from 'ajv'
import type { Recording } from '../harness/record.ts'
import { isAuthorized, newPetSchema, querySchema, sayReady } from './parts.ts'

/**
 * What HTTP alone takes, without a framework and a database: checks the key, the query and the body as the others do, and sends
 * from memory what our service was recorded to send. As text, which Node writes in one piece with the headers.
 */
const recording: Recording = JSON.parse(readFileSync(process.env.BENCH_RECORDING ?? '', 'utf8'))
const flat = Object.entries(recording.answers).map(
  ([path, { headers, body }]) => [path, { headers: headers.flat(), body }] as const,
)
const answers = new Map(flat)
const others = recording.created.headers.filter(([name]) => name !== 'content-length').flat()
const properties = { ...querySchema.properties, cursor: { type: 'string', pattern: '^[\\w-]+$' } }
const isQuery = new Ajv({ coerceTypes: true }).compile({ ...querySchema, properties })
const isNewPet = new Ajv().compile<object>(newPetSchema)
let created = 0

const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  const end = (status: number) => void response.writeHead(status).end()
  const { method, url = '', headers } = request
  if (!isAuthorized(headers.authorization)) return end(401)
  const chunks: Buffer[] = []
  if (method === 'POST') {
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      let pet: unknown
      try {
        pet = JSON.parse(String(Buffer.concat(chunks)))
      } catch {
        // No pet either.
      }
      if (!isNewPet(pet)) return end(400)
      const body = JSON.stringify({ id: ++created, ...pet })
      response.writeHead(201, [...others, 'content-length', `${Buffer.byteLength(body)}`]).end(body)
    })
    return
  }
  const [, query] = url.split('?')
  const answer = answers.get(url)
  if (query !== undefined && !isQuery(parse(query))) end(400)
  else if (answer) response.writeHead(200, answer.headers).end(answer.body)
  else end(404)
})
server.listen(0, '127.0.0.1', () => sayReady((server.address() as { port: number }).port))
