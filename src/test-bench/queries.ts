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

  return {
    save: oneByOne({
      name: 'saveSnapshot',
      async run(sql, { number }: Snapshot): Promise<null> {
        for (const table of contents) {
          const copy = copyOf(table, number)
          await sql.all(
            `create temp table ${copy} as select ${columnsOf(table)} from main.${table.name}`,
          )
        }
        await sql.all(
          `create temp table ${idsOf(number)} as select name, seq from main.sqlite_sequence
          where name in (${namesOf(contents)})`,
        )
        return null
      },
    }),

    empty: oneByOne({
      name: 'emptyStore',
      async run(sql, { lastId }: { lastId: bigint }): Promise<null> {
        await sql.all('pragma defer_foreign_keys = on')
        await sql.all(`delete from main.sqlite_sequence where name in (${namesOf(contents)})`)
        for (const { name, assignsIds, ignoresFirstId } of contents) {
          await sql.all(`delete from main.${name}`)
          if (assignsIds && !ignoresFirstId && lastId > 0n) await sql.skipIds(name, lastId)
        }
        await log?.restart(sql)
        return null
      },
    }),

    restore: oneByOne({
      name: 'restoreSnapshot',
      async run(sql, { number }: Snapshot): Promise<null> {
        await sql.all('pragma defer_foreign_keys = on')
        for (const table of contents) await restoreTable(sql, table, copyOf(table, number))
        await sql.all(`delete from main.sqlite_sequence where name in (${namesOf(contents)})`)
        await sql.all(
          `insert into main.sqlite_sequence (name, seq) select name, seq from temp.${idsOf(number)}`,
        )
        await log?.restart(sql)
        return null
      },
    }),

    drop: oneByOne({
      name: 'dropSnapshot',
      async run(sql, { number }: Snapshot): Promise<null> {
        for (const table of contents) await sql.all(`drop table temp.${copyOf(table, number)}`)
        await sql.all(`drop table temp.${idsOf(number)}`)
        return null
      },
    }),
  }
}

export type SnapshotWrites = ReturnType<typeof snapshotWrites>

/** The service's storage, with the writes of snapshots added. */
export function withSnapshots(storage: Storage): { storage: Storage; writes: SnapshotWrites } {
  const writes = snapshotWrites(storage)
  const own = Object.values(writes) as unknown as Storage['writes']
  return { storage: { ...storage, writes: [...storage.writes, ...own] }, writes }
}

async function restoreTable(sql: Sql, table: Table, copy: string) {
  const columns = columnsOf(table)
  await sql.all(`delete from main.${table.name}`)
  await sql.all(
    `insert into main.${table.name} (${columns}) select ${columns} from temp.${copy} order by rowid`,
  )
}

const copyOf = ({ name }: Table, number: number) => `snapshot_${number}_${name}`

const idsOf = (number: number) => `snapshot_${number}_ids`

function columnsOf({ columns }: Table): string {
  return Object.entries(columns)
    .flatMap(([name, { isGenerated }]) => (isGenerated ? [] : [name]))
    .join(', ')
}

const namesOf = (tables: readonly Table[]) => tables.map(({ name }) => `'${name}'`).join(', ')
