import { Ajv } from 'ajv'
import Database from 'better-sqlite3'
import express, { type RequestHandler } from 'express'
import {
  afterCursor,
  cursorPattern,
  database,
  isAuthorized,
  namePattern,
  nextLink,
  petOf,
  type Row,
  sayReady,
  statuses,
} from './parts.ts'
import {
  fill,
  insert,
  newRow,
  pageParameters,
  pragmas,
  selectOne,
  selectPage,
  selectPageOfStatus,
  storedRow,
  tables,
} from './sqlite.ts'

/** Express 5 on better-sqlite3. Express validates nothing by itself: Ajv does, as middleware. */
const db = new Database(database)
db.exec(pragmas)
db.exec(tables)
const inserting = db.prepare(insert)
const one = db.prepare(selectOne)
const page = db.prepare(selectPage)
const pageOfStatus = db.prepare(selectPageOfStatus)
fill(
  (text) => db.exec(text),
  (values) => inserting.run(...values),
)

const status = { type: 'string', enum: statuses }
const isQuery = new Ajv({ coerceTypes: true, useDefaults: true }).compile<{
  limit: number
  status?: string
  cursor?: string
}>({
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    cursor: { type: 'string', pattern: cursorPattern },
  },
})
const isNewPet = new Ajv().compile<{ name: string; categoryId: number; status?: string }>({
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 1000, pattern: namePattern },
    categoryId: {
      type: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    status,
  },
})

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
  const { limit, status, cursor } = query
  const after = afterCursor(cursor)
  if (after === undefined) return void response.status(400).json({ message: 'No cursor.' })
  const filter = { limit, status, after }
  const rows = (status === undefined ? page : pageOfStatus).all(...pageParameters(filter)) as Row[]
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length > limit && last) {
    response.setHeader('link', nextLink(request.headers.host ?? '', filter, last.id))
  }
  response.json(shown.map(petOf))
})

app.get('/v1/pets/:id', (request, response) => {
  const { id } = request.params
  const row = /^[1-9]\d{0,15}$/.test(id) ? (one.get(Number(id)) as Row | undefined) : undefined
  if (row) response.json(petOf(row))
  else response.status(404).json({ message: 'No such pet.' })
})

app.post('/v1/pets', (request, response) => {
  const body: unknown = request.body
  if (!isNewPet(body)) return void response.status(400).json({ message: 'Bad body.' })
  const row = storedRow(body, inserting.run(...newRow(body)).lastInsertRowid)
  response.status(201).location(`http://${request.headers.host}/v1/pets/${row.id}`).json(petOf(row))
})

const server = app.listen(0, '127.0.0.1', () => {
  sayReady((server.address() as { port: number }).port)
})
