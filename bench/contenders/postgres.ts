import { count } from './parts.ts'
import { samplePet } from './sample-pets.ts'

export const poolSize = 16

const tables = `
  create table pets (
    id bigint generated always as identity primary key,
    name text not null,
    category_id bigint not null,
    status text check (status in ('available', 'pending', 'sold'))
  );
  create index pets_status on pets (status, id)`
const fill = `
  insert into pets (name, category_id, status)
  select * from json_to_recordset($1::text::json) as pet (name text, "categoryId" bigint, status text)`

/** Creates the table and inserts the sample pets. */
export async function setUp(run: (sql: string, values?: string[]) => Promise<unknown>) {
  await run(tables)
  await run(fill, [
    JSON.stringify(Array.from({ length: count }, (_, index) => samplePet(index + 1))),
  ])
  await run('vacuum analyze pets')
}
