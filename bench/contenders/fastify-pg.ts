import cluster from 'node:cluster'
import pg from 'pg'
import { serve } from './fastify.ts'
import { database, type Row } from './parts.ts'
import { poolSize, setUp } from './postgres.ts'

/** Fastify 5 on PostgreSQL through pg, with named prepared statements. */
const pool = new pg.Pool({ connectionString: database, max: poolSize, idleTimeoutMillis: 0 })
// Ids stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
if (cluster.isPrimary) await setUp((text, values) => pool.query(text, values))

await serve({
  async page({ limit, status, after }) {
    const query =
      status === undefined
        ? {
            name: 'page',
            text: 'select id, name, category_id, status from pets where id > $1 order by id limit $2',
            values: [after, limit + 1],
          }
        : {
            name: 'page-of-status',
            text: 'select id, name, category_id, status from pets where status = $1 and id > $2 order by id limit $3',
            values: [status, after, limit + 1],
          }
    return (await pool.query<Row>(query)).rows
  },
  async one(id) {
    const text = 'select id, name, category_id, status from pets where id = $1'
    const { rows } = await pool.query<Row>({ name: 'one', text, values: [id] })
    return rows[0]
  },
  async create({ name, categoryId, status }) {
    const text =
      'insert into pets (name, category_id, status) values ($1, $2, $3) returning id, name, category_id, status'
    const values = [name, categoryId, status ?? null]
    const { rows } = await pool.query<Row>({ name: 'insert', text, values })
    return rows[0] as Row
  },
})
