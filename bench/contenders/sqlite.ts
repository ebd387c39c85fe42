import { animalOf } from './animals.ts'
import { count, type Filter } from './parts.ts'

/** The same on all three SQLite clients: a write reaches the disk before it is acknowledged. */
export const pragmas = 'pragma journal_mode = wal; pragma synchronous = full'

export const tables = `
  create table if not exists pets (
    id integer primary key autoincrement,
    name text not null,
    category_id integer not null,
    status text check (status in ('available', 'pending', 'sold'))
  ) strict;
  create index if not exists pets_status on pets (status, id)`

export const insert =
  'insert into pets (name, category_id, status) values (?, ?, ?) returning id, name, category_id, status'
export const selectOne = 'select id, name, category_id, status from pets where id = ?'
export const selectPage =
  'select id, name, category_id, status from pets where id > ? order by id limit ?'
export const selectPageOfStatus =
  'select id, name, category_id, status from pets where status = ? and id > ? order by id limit ?'

/** What `selectPage` or `selectPageOfStatus` binds: one row more than the limit tells whether there is a next page. */
export function pageParameters({ limit, status, after }: Filter): (string | number)[] {
  return status === undefined ? [after, limit + 1] : [status, after, limit + 1]
}

/** Adds the animals in one transaction. */
export function fill(
  run: (text: string) => void,
  add: (values: (string | number | null)[]) => void,
) {
  run('begin')
  for (let id = 1; id <= count; id++) {
    const { name, categoryId, status } = animalOf(id)
    add([name, categoryId, status ?? null])
  }
  run('commit')
}
