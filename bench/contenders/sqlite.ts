import { type Animal, animalOf } from './animals.ts'
import { count, type Filter, type Row } from './parts.ts'

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

/**
 * Without `returning`: the clients read one row of it and no further, and SQLite looks after its log at the end of a
 * statement only, so that a store which is written to and never read would have one without end.
 */
export const insert = 'insert into pets (name, category_id, status) values (?, ?, ?)'
export const selectOne = 'select id, name, category_id, status from pets where id = ?'
/** Not `limit ?` alone, which SQLite plans anew each time that it is bound: a few microseconds that say nothing of a framework. */
export const selectPage =
  'select id, name, category_id, status from pets where id > ? order by id limit ? + 0'
export const selectPageOfStatus =
  'select id, name, category_id, status from pets where status = ? and id > ? order by id limit ? + 0'

/** What `insert` binds. */
export function newRow({ name, categoryId, status }: Animal): (string | number | null)[] {
  return [name, categoryId, status ?? null]
}

/** What `insert` has stored under this id. */
export function storedRow({ name, categoryId, status }: Animal, id: number | bigint): Row {
  return { id: Number(id), name, category_id: categoryId, status: status ?? null }
}

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
    add(newRow(animalOf(id)))
  }
  run('commit')
}
