import { animalOf } from './animals.ts'
import { count, type Filter } from './parts.ts'

export const poolSize = 16

export const tables = `
  create table pets (
    id bigint generated always as identity primary key,
    name text not null,
    category_id bigint not null,
    status text check (status in ('available', 'pending', 'sold'))
  );
  create index pets_status on pets (status, id)`

export const insert =
  'insert into pets (name, category_id, status) values ($1, $2, $3) returning id, name, category_id, status'
export const selectOne = 'select id, name, category_id, status from pets where id = $1'
export const selectPage =
  'select id, name, category_id, status from pets where id > $1 order by id limit $2'
export const selectPageOfStatus =
  'select id, name, category_id, status from pets where status = $1 and id > $2 order by id limit $3'

/** What `selectPage` or `selectPageOfStatus` binds: one row more than the limit tells whether there is a next page. */
export function pageParameters({ limit, status, after }: Filter): (string | number)[] {
  return status === undefined ? [after, limit + 1] : [status, after, limit + 1]
}

/** Adds all animals with one statement, from three arrays. */
export const fillStatement =
  'insert into pets (name, category_id, status) select * from json_to_recordset($1::text::json) as animals (name text, category_id bigint, status text)'

export function animals(): { name: string; category_id: number; status: string | null }[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, categoryId, status } = animalOf(index + 1)
    return { name, category_id: categoryId, status: status ?? null }
  })
}
