import { SQL } from 'bun'
import { serve } from './elysia.ts'
import { database, type Filter, type Row } from './parts.ts'
import { poolSize, setUp } from './postgres.ts'

/** Elysia on Bun, on PostgreSQL through Bun's own client. */
const sql = new SQL({ url: database, max: poolSize })
await setUp((text, values) => sql.unsafe(text, values))

/** The client returns a bigint as text. */
function withNumbers({ id, name, category_id, status }: Row): Row {
  return { id: Number(id), name, category_id: Number(category_id), status }
}

async function page({ limit, status, after }: Filter): Promise<Row[]> {
  const rows: Row[] =
    status === undefined
      ? await sql`select id, name, category_id, status from pets where id > ${after} order by id limit ${limit + 1}`
      : await sql`select id, name, category_id, status from pets where status = ${status} and id > ${after} order by id limit ${limit + 1}`
  return rows.map(withNumbers)
}

serve({
  page,
  async one(id) {
    const rows: Row[] = await sql`select id, name, category_id, status from pets where id = ${id}`
    return rows[0] ? withNumbers(rows[0]) : null
  },
  async create({ name, categoryId, status }) {
    const rows: Row[] =
      await sql`insert into pets (name, category_id, status) values (${name}, ${categoryId}, ${status ?? null}) returning id, name, category_id, status`
    return withNumbers(rows[0] as Row)
  },
})
