import { Ajv } from 'ajv'
import fastify, { type FastifyInstance } from 'fastify'
import {
  afterCursor,
  cursorPattern,
  type Filter,
  isAuthorized,
  namePattern,
  nextLink,
  petOf,
  type Row,
  statuses,
} from './parts.ts'

export type NewPet = { name: string; categoryId: number; status?: string }

/** What the two databases do for Fastify. */
export type Store = {
  page(filter: Filter): Promise<Row[]> | Row[]
  one(id: number): Promise<Row | undefined> | Row | undefined
  create(pet: NewPet): Promise<Row> | Row
}

const integer = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}
const status = { type: 'string', enum: statuses }
const name = { type: 'string', minLength: 1, maxLength: 1000, pattern: namePattern }
const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status,
  },
}

const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      status,
      cursor: { type: 'string', pattern: cursorPattern },
    },
  },
  response: { 200: { type: 'array', items: pet } },
}
const getSchema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
  response: { 200: pet },
}
const createSchema = {
  body: {
    type: 'object',
    required: ['name', 'categoryId'],
    properties: { name, categoryId: integer, status },
  },
  response: { 201: pet },
}

/** The interface on Fastify, as its documentation builds it: schemas in, schemas out, the key in a hook. */
export function createServer(store: Store): FastifyInstance {
  const app = fastify()
  const converting = new Ajv({ coerceTypes: true, useDefaults: true })
  const strict = new Ajv()
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : converting).compile(schema),
  )
  app.addHook('onRequest', async (request, reply) => {
    if (!isAuthorized(request.headers.authorization))
      return reply.code(401).send({ message: 'No key.' })
  })

  app.get<{ Querystring: { limit: number; status?: string; cursor?: string } }>(
    '/v1/pets',
    { schema: listSchema },
    async (request, reply) => {
      const { limit, status, cursor } = request.query
      const after = afterCursor(cursor)
      if (after === undefined) return reply.code(400).send({ message: 'No cursor.' })
      const filter = { limit, status, after }
      const rows = await store.page(filter)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      if (rows.length > limit && last) reply.header('link', nextLink(request.host, filter, last.id))
      return shown.map(petOf)
    },
  )

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
  return app
}
