import pg from 'pg'
import { createServer } from './fastify.ts'
import { database, type Row, sayReady } from './parts.ts'
import {
  animals,
  fillStatement,
  insert,
  pageParameters,
  poolSize,
  selectOne,
  selectPage,
  selectPageOfStatus,
  tables,
} from './postgres.ts'

/** Fastify 5 on PostgreSQL through pg, with statements that the server prepares once. */
const pool = new pg.Pool({ connectionString: database, max: poolSize, idleTimeoutMillis: 0 })
// The ids stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
await pool.query(tables)
await pool.query(fillStatement, [JSON.stringify(animals())])
await pool.query('vacuum analyze pets')

const app = createServer({
  async page(filter) {
    const values = pageParameters(filter)
    const { rows } =
      filter.status === undefined
        ? await pool.query<Row>({ name: 'page', text: selectPage, values })
        : await pool.query<Row>({ name: 'page-of-status', text: selectPageOfStatus, values })
    return rows
  },
  async one(id) {
    const { rows } = await pool.query<Row>({ name: 'one', text: selectOne, values: [id] })
    return rows[0]
  },
  async create({ name, categoryId, status }) {
    const values = [name, categoryId, status ?? null]
    const { rows } = await pool.query<Row>({ name: 'insert', text: insert, values })
    return rows[0] as Row
  },
})
await app.listen({ host: '127.0.0.1', port: 0 })
sayReady((app.server.address() as { port: number }).port)
