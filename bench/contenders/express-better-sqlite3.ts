import { Ajv } from 'ajv'
import Database from 'better-sqlite3'
import express, { type RequestHandler } from 'express'
import {
  database,
  filterOf,
  isAuthorized,
  newPetSchema,
  pageOf,
  petOf,
  type Query,
  querySchema,
  sayReady,
} from './parts.ts'
import type { NewPet } from './sample-pets.ts'
import { openStore } from './sqlite.ts'

/** Express 5 on better-sqlite3. Express has no validation of its own, so Ajv validates. */
const store = openStore(new Database(database))
const isQuery = new Ajv({ coerceTypes: true, useDefaults: true }).compile<Query>(querySchema)
const isNewPet = new Ajv().compile<NewPet>(newPetSchema)

const authorize: RequestHandler = (request, response, next) => {
  if (isAuthorized(request.headers.authorization)) next()
  else response.status(401).json({ message: 'No key.' })
}

const app = express()
app.use(authorize)
app.use(express.json({ limit: '64kb' }))

app.get('/v1/pets', (request, response) => {
  const query: unknown = { ...request.query }
  if (!isQuery(query)) return void response.status(400).json({ message: 'Bad parameter.' })
  const filter = filterOf(query)
  if (filter === undefined) return void response.status(400).json({ message: 'No cursor.' })
  const { pets, next } = pageOf(store.page(filter), filter, request.headers.host ?? '')
  if (next !== undefined) response.setHeader('link', next)
  response.json(pets)
})

app.get('/v1/pets/:id', (request, response) => {
  const { id } = request.params
  const row = /^[1-9]\d{0,15}$/.test(id) ? store.one(Number(id)) : undefined
  if (row) response.json(petOf(row))
  else response.status(404).json({ message: 'No such pet.' })
})

app.post('/v1/pets', (request, response) => {
  const body: unknown = request.body
  if (!isNewPet(body)) return void response.status(400).json({ message: 'Bad body.' })
  const row = store.create(body)
  response.status(201).location(`http://${request.headers.host}/v1/pets/${row.id}`).json(petOf(row))
})

const server = app.listen(0, '127.0.0.1', () => {
  sayReady((server.address() as { port: number }).port)
})
