import { Database } from 'bun:sqlite'
import { serve } from './elysia.ts'
import { database, type Row } from './parts.ts'
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

/** Elysia on Bun, on bun:sqlite. */
const db = new Database(database)
db.run(pragmas)
db.run(tables)
const inserting = db.query<Row, (string | number | null)[]>(insert)
const one = db.query<Row, number>(selectOne)
const page = db.query<Row, (string | number)[]>(selectPage)
const pageOfStatus = db.query<Row, (string | number)[]>(selectPageOfStatus)
fill(
  (text) => db.run(text),
  (values) => inserting.run(...values),
)

serve({
  page: (filter) =>
    (filter.status === undefined ? page : pageOfStatus).all(...pageParameters(filter)),
  one: (id) => one.get(id),
  create: (pet) => storedRow(pet, inserting.run(...newRow(pet)).lastInsertRowid),
})
