import type { Environment } from '../../config/settings.ts'
import { oneByOne, type Parameter, type Row, type Sql } from '../../db/db.ts'
import { queryOnce } from '../../db/records/rows.ts'
import type { Table } from '../../db/storage.ts'
import type { StoredManifest } from './manifest.ts'

/** The last backup of a store: when its contents were read, in milliseconds since 1970, and its file. */
type LastBackup = { madeAt: bigint; file: string }

/** `undefined` where the store was never backed up. */
export const selectLastBackup = queryOnce(async (sql): Promise<LastBackup | undefined> => {
  const [row] = await sql.all<[bigint, string]>('select made_at, file from last_backup')
  return row && { madeAt: row[0], file: row[1] }
})

export const insertLastBackup = oneByOne({ name: 'insertLastBackup', run: upsertLastBackup })

/** Records a backup, unless a later one is recorded; a recorded one of the future was made by a clock that was ahead. */
export async function upsertLastBackup(
  sql: Sql,
  { madeAt, file, now }: LastBackup & { now: bigint },
): Promise<null> {
  await sql.all(
    `insert into last_backup (id, made_at, file) values (1, ?1, ?2)
    on conflict (id) do update set made_at = excluded.made_at, file = excluded.file
      where last_backup.made_at <= excluded.made_at or last_backup.made_at > ?3`,
    [madeAt, file, now],
  )
  return null
}

/** Deletes what only a store has that goes on elsewhere. */
export async function deleteMoved(sql: Pick<Sql, 'all'>, tables: readonly Table[]): Promise<void> {
  for (const { name, movesAlong } of tables) if (movesAlong) await sql.all(`delete from ${name}`)
}

/** A file of SQLite. */
type Sqlite = { all<R extends Row>(text: string, parameters?: readonly Parameter[]): R[] }

/** The name of the last migration. */
export function selectSchema(file: Sqlite): string {
  const [row] = file.all<[string | null]>('select max(name) from migrations')
  return row?.[0] ?? ''
}

/** The environment of a store with these tables; null where it belongs to none. */
export function selectOwner(file: Sqlite, tables: readonly { name: string }[]): Environment | null {
  if (!tables.some(({ name }) => name === 'environment')) return null
  const [row] = file.all<[Environment]>('select name from environment limit 1')
  return row?.[0] ?? null
}

/** Adds a manifest to a store. */
export function insertManifest(file: Sqlite, manifest: StoredManifest): void {
  file.all('create table backup_manifest (manifest text not null, sha256 text not null) strict')
  file.all('insert into backup_manifest (manifest, sha256) values (?1, ?2)', manifest)
}

/** The names of the ordinary tables: no views, nor what a module computes. */
export function selectTables(file: Sqlite): string[] {
  const rows = file.all<[string]>(
    "select name from sqlite_schema where type = 'table' and rootpage > 0",
  )
  return rows.map(([name]) => name)
}

/** The names of the columns of a table, in the order of the file. */
export function selectColumns(file: Sqlite, table: string): string[] {
  const rows = file.all<[string]>('select name from pragma_table_xinfo(?1) order by cid', [table])
  return rows.map(([name]) => name)
}

/** The first two manifests: a backup has one. */
export function selectManifests(file: Sqlite): StoredManifest[] {
  return file.all<StoredManifest>('select manifest, sha256 from backup_manifest limit 2')
}

/** The first damage of a file other than a violated check; `undefined` where there is none. */
export function selectDamage(file: Sqlite): string | undefined {
  const [[line] = ['']] = file.all<[string]>('pragma quick_check(1)')
  if (line === 'ok' || line.startsWith('CHECK constraint failed')) return undefined
  return line.split('\n').at(-1)
}
