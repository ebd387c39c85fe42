import { count, type Filter, type Row, type Store } from './parts.ts'
import { type NewPet, samplePet } from './sample-pets.ts'

type Value = string | number | null
type NewRow = Omit<NewPet, 'status'> & { status?: string | null }
/** What `node:sqlite`, `better-sqlite3` and `bun:sqlite` have in common. */
type Database = {
  exec(sql: string): unknown
  prepare(sql: string): {
    all(...values: Value[]): unknown[]
    get(...values: Value[]): unknown
    run(...values: Value[]): { lastInsertRowid: number | bigint }
  }
}

// With these pragmas a commit is synced before it returns.
const setUp = `
  pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists pets (
    id integer primary key autoincrement,
    name text not null,
    category_id integer not null,
    status text check (status in ('available', 'pending', 'sold'))
  ) strict;
  create index if not exists pets_status on pets (status, id)`

/** Creates the table, inserts the sample pets, and prepares each statement once. */
export function openStore(db: Database) {
  db.exec(setUp)
  // Without `returning`: the clients' `get()` reads one row and does not finish the statement, and SQLite checkpoints
  // its log only when a statement finishes. The log would grow without end.
  const insert = db.prepare('insert into pets (name, category_id, status) values (?, ?, ?)')
  const one = db.prepare('select id, name, category_id, status from pets where id = ?')
  // A bare `limit ?` makes SQLite plan the statement again for each bound value, which costs some 3 µs.
  const page = db.prepare(
    'select id, name, category_id, status from pets where id > ? order by id limit ? + 0',
  )
  const pageOfStatus = db.prepare(
    'select id, name, category_id, status from pets where status = ? and id > ? order by id limit ? + 0',
  )
  const create = ({ name, categoryId, status = null }: NewRow): Row => {
    const { lastInsertRowid } = insert.run(name, categoryId, status)
    return { id: Number(lastInsertRowid), name, category_id: categoryId, status }
  }
  db.exec('begin')
  for (let id = 1; id <= count; id++) create(samplePet(id))
  db.exec('commit')
  return {
    create,
    one: (id: number) => one.get(id) as Row | null | undefined,
    page: ({ limit, status, after }: Filter) =>
      (status === undefined
        ? page.all(after, limit + 1)
        : pageOfStatus.all(status, after, limit + 1)) as Row[],
  } satisfies Store
}
