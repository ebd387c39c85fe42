import type { Environment } from '../../config/settings.ts'
import { defineTransaction, type Query } from '../../db/db.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import type { Table } from '../../db/storage.ts'
import type { Entry } from './manifest.ts'

/** The last backup of a store: when its contents were read, in milliseconds since 1970, and its file. */
type LastBackup = { madeAt: bigint; file: string }

/** `undefined` where the store was never backed up. */
export const selectLastBackup: Query<undefined, LastBackup | undefined> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<[bigint, string]>('select made_at, file from last_backup')
    return inputs.map(() => row && { madeAt: row[0], file: row[1] })
  },
}

/** Records a backup, unless a later one is recorded. */
export const insertLastBackup = defineTransaction<LastBackup, null>({
  name: 'insertLastBackup',
  async run(sql, { madeAt, file }) {
    await sql.all(
      `insert into last_backup (id, made_at, file) values (1, ?1, ?2)
      on conflict (id) do update set made_at = excluded.made_at, file = excluded.file
        where last_backup.made_at <= excluded.made_at`,
      [madeAt, file],
    )
    return null
  },
})

/** The bytes of the pages that are in use: the size of a copy, or a little more. */
export function selectSizeBytes(connection: Connection): number {
  const [[pages], [free], [size]] = ['page_count', 'freelist_count', 'page_size'].map(
    (name) => connection.all<[bigint]>(`pragma ${name}`)[0],
  ) as [[bigint], [bigint], [bigint]]
  return Number((pages - free) * size)
}

/**
 * Writes one snapshot of the database into an empty file, without free pages. Other processes read and write meanwhile;
 * the log grows, since a checkpoint cannot pass the snapshot.
 */
export function vacuumInto(connection: Connection, file: string): void {
  connection.all('vacuum into ?1', [file])
}

/** For a file that is of no use before it is complete, and is synced then: nothing is written for a crash. */
export function writeUnsafely(connection: Connection): void {
  connection.exec('pragma journal_mode = memory; pragma synchronous = off')
}

/** The name of the last migration. */
export function selectSchema(connection: Connection): string {
  const [row] = connection.all<[string | null]>('select max(name) from migrations')
  return row?.[0] ?? ''
}

/** The environment of a store; null where it belongs to none. */
export function selectOwner(connection: Connection): Environment | null {
  const [row] = connection.all<[Environment]>('select name from environment')
  return row?.[0] ?? null
}

type Shape = Pick<Table, 'name' | 'columns' | 'key'>

const columnTypes = { INTEGER: 'int64', TEXT: 'text', BLOB: 'bytes' } as const

/** The tables of a store of any schema, with their stored columns, by name. */
export function selectShapes(connection: Connection): Shape[] {
  const tables = connection.all<[string]>(
    `select name from sqlite_schema where type = 'table' and substr(name, 1, 7) <> 'sqlite_'
      and name <> 'migrations' order by name`,
  )
  return tables.map(([name]) => {
    const columns = connection.all<[string, keyof typeof columnTypes, bigint, bigint]>(
      'select name, type, "notnull", pk from pragma_table_xinfo(?1) where hidden = 0 order by cid',
      [name],
    )
    const key = columns.filter(([, , , place]) => place > 0n)
    return {
      name,
      key: key.sort(([, , , a], [, , , b]) => Number(a - b)).map(([column]) => column),
      columns: Object.fromEntries(
        columns.map(([column, type, isRequired, place]) => [
          column,
          {
            type: columnTypes[type],
            ...(isRequired === 1n || place > 0n ? {} : { isNullable: true as const }),
          },
        ]),
      ),
    }
  })
}

/** Puts tables that describe a place, and not its contents, into the state after the migrations. */
export function resetTables(connection: Connection, tables: readonly Table[]): void {
  for (const { name, firstRows = [] } of tables) {
    connection.all(`delete from ${name}`)
    for (const row of firstRows) {
      const values = Object.values(row)
      const marks = values.map((_, index) => `?${index + 1}`).join(', ')
      connection.all(
        `insert into ${name} (${Object.keys(row).join(', ')}) values (${marks})`,
        values,
      )
    }
  }
}

export const createManifest =
  'create table backup_manifest (name text primary key, value text not null) strict, without rowid'

/** Makes a store a backup. */
export function insertManifest(
  connection: Connection,
  entries: readonly Entry[],
  applicationId: number,
): void {
  connection.exec(createManifest)
  for (const entry of entries) {
    connection.all('insert into backup_manifest (name, value) values (?1, ?2)', entry)
  }
  connection.exec(`pragma application_id = ${applicationId}`)
}

/** The definitions of what is called like the manifest. */
export function selectManifestTables(connection: Connection): string[] {
  const rows = connection.all<[string | null]>(
    "select cast(sql as text) from sqlite_schema where name = 'backup_manifest' limit 2",
  )
  return rows.map(([sql]) => sql ?? '')
}

/** More rows than a manifest has are not read. */
const manifestRowsMax = 50
const migrationsMax = 10_000

export function selectManifest(connection: Connection): Entry[] {
  return connection.all<Entry>(`select name, value from backup_manifest limit ${manifestRowsMax}`)
}

/** The names of the applied migrations. */
export function selectApplied(connection: Connection): string[] {
  const rows = connection.all<[string]>(
    `select name from migrations order by name limit ${migrationsMax}`,
  )
  return rows.map(([name]) => name)
}

/** The first damage of a file, but for a violated check; `undefined` where there is none. */
export function selectDamage(connection: Connection): string | undefined {
  const [[line] = ['']] = connection.all<[string]>('pragma quick_check(1)')
  if (line === 'ok' || line.startsWith('CHECK constraint failed')) return undefined
  return line.split('\n').at(-1)
}
