import { DatabaseSync } from 'node:sqlite'
import { createServer } from './fastify.ts'
import { database, type Row, sayReady } from './parts.ts'
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

/** Fastify 5 on node:sqlite. */
const db = new DatabaseSync(database)
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

const app = createServer({
  page: (filter) =>
    (filter.status === undefined ? page : pageOfStatus).all(...pageParameters(filter)) as Row[],
  one: (id) => one.get(id) as Row | undefined,
  create: (pet) => storedRow(pet, inserting.run(...newRow(pet)).lastInsertRowid),
})
await app.listen({ host: '127.0.0.1', port: 0 })
sayReady((app.server.address() as { port: number }).port)
