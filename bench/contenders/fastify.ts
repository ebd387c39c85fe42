import { Ajv } from 'ajv'
import fastify from 'fastify'
import metrics from 'fastify-metrics'
import {
  filterOf,
  isAuthorized,
  log,
  newPetSchema,
  pageOf,
  petOf,
  type Query,
  querySchema,
  type Store,
  sayReady,
  statusSchema,
} from './parts.ts'
import type { NewPet } from './sample-pets.ts'

const petSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: statusSchema,
  },
}
const listSchema = {
  querystring: querySchema,
  response: { 200: { type: 'array', items: petSchema } },
}
const getSchema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
  response: { 200: petSchema },
}
const createSchema = { body: newPetSchema, response: { 201: petSchema } }

/**
 * Serves the interface on Fastify as its documentation shows: request and response schemas, key check in a hook; where it is
 * observed, its own log by pino, and the plugin for metrics.
 */
export async function serve(store: Store): Promise<void> {
  const app = fastify({ logger: log === undefined ? false : { file: log } })
  if (log !== undefined) await app.register(metrics, { endpoint: '/metrics' })
  const converting = new Ajv({ coerceTypes: true, useDefaults: true })
  const strict = new Ajv()
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : converting).compile(schema),
  )
  app.addHook('onRequest', async (request, reply) => {
    if (!isAuthorized(request.headers.authorization))
      return reply.code(401).send({ message: 'No key.' })
  })

  app.get<{ Querystring: Query }>('/v1/pets', { schema: listSchema }, async (request, reply) => {
    const filter = filterOf(request.query)
    if (filter === undefined) return reply.code(400).send({ message: 'No cursor.' })
    const { pets, next } = pageOf(await store.page(filter), filter, request.host)
    if (next !== undefined) reply.header('link', next)
    return pets
  })

  app.get<{ Params: { id: number } }>(
    '/v1/pets/:id',
    { schema: getSchema },
    async (request, reply) => {
      const row = await store.one(request.params.id)
      return row ? petOf(row) : reply.code(404).send({ message: 'No such pet.' })
    },
  )

  app.post<{ Body: NewPet }>('/v1/pets', { schema: createSchema }, async (request, reply) => {
    const row = await store.create(request.body)
    reply.code(201).header('location', `http://${request.host}/v1/pets/${row.id}`)
    return petOf(row)
  })

  await app.listen({ host: '127.0.0.1', port: 0 })
  sayReady((app.server.address() as { port: number }).port)
}
