import { oneByOne, type Sql } from '../db/db.ts'
import type { Storage, Table } from '../db/storage.ts'

/** Identifies a snapshot; positive. */
type Snapshot = { number: number }

/**
 * Saves, restores and empties the tables and their counters of ids, except those that survive a reset, such as API keys.
 * Other contents have another log of changes.
 * Only for stores in memory: a snapshot is a set of temporary tables of the one connection.
 */
function snapshotWrites({ tables, log }: Storage) {
  const contents = tables.filter(({ survivesReset }) => !survivesReset)
  const names = contents.map(({ name }) => `'${name}'`).join(', ')
  const counters = `main.sqlite_sequence where name in (${names})`

  return {
    save: defineChange('saveSnapshot', async (sql, { number }: Snapshot) => {
      for (const table of contents) {
        const copy = copyOf(table, number)
        const columns = await columnsOf(sql, table)
        await sql.all(`create temp table ${copy} as select ${columns} from main.${table.name}`)
      }
      await sql.all(`create temp table ${idsOf(number)} as select name, seq from ${counters}`)
    }),

    empty: defineChange('emptyStore', async (sql, { lastId }: { lastId: bigint }) => {
      await sql.all('pragma defer_foreign_keys = on')
      await sql.all(`delete from ${counters}`)
      for (const { name, assignsIds } of contents) {
        await sql.all(`delete from main.${name}`)
        if (assignsIds && lastId > 0n) await sql.skipIds(name, lastId)
      }
      await log?.restart(sql)
    }),

    restore: defineChange('restoreSnapshot', async (sql, { number }: Snapshot) => {
      await sql.all('pragma defer_foreign_keys = on')
      for (const table of contents) await restoreTable(sql, table, copyOf(table, number))
      await sql.all(`delete from ${counters}`)
      await sql.all(
        `insert into main.sqlite_sequence (name, seq) select name, seq from temp.${idsOf(number)}`,
      )
      await log?.restart(sql)
    }),

    drop: defineChange('dropSnapshot', async (sql, { number }: Snapshot) => {
      for (const table of contents) await sql.all(`drop table temp.${copyOf(table, number)}`)
      await sql.all(`drop table temp.${idsOf(number)}`)
    }),
  }
}

/** A write without a result. */
function defineChange<Input>(name: string, run: (sql: Sql, input: Input) => Promise<void>) {
  return oneByOne({ name, run })
}

export type SnapshotWrites = ReturnType<typeof snapshotWrites>

/** The service's storage, with the writes of snapshots added. */
export function withSnapshots(storage: Storage): { storage: Storage; writes: SnapshotWrites } {
  const writes = snapshotWrites(storage)
  const own = Object.values(writes) as unknown as Storage['writes']
  return { storage: { ...storage, writes: [...storage.writes, ...own] }, writes }
}

async function restoreTable(sql: Sql, table: Table, copy: string) {
  const columns = await columnsOf(sql, table)
  await sql.all(`delete from main.${table.name}`)
  await sql.all(
    `insert into main.${table.name} (${columns}) select ${columns} from temp.${copy} order by rowid`,
  )
}

const copyOf = ({ name }: Table, number: number) => `snapshot_${number}_${name}`

const idsOf = (number: number) => `snapshot_${number}_ids`

/** Its columns but the generated ones. */
async function columnsOf(sql: Sql, { name }: Table): Promise<string> {
  const rows = await sql.all<[string]>('select name from pragma_table_info(?1)', [name])
  return rows.map(([column]) => column).join(', ')
}
