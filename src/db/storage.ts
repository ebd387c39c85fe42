import type { Db, Scan, Sql, Transaction, Write } from './db.ts'

/** How the values of a column are stored, and what they mean beyond that. */
type Column = {
  type: 'int64' | 'text' | 'bytes'
  isNullable?: true
  /** Computed by the database from other columns of its row. */
  isGenerated?: true
  /** Computed by this program from another column of its row. */
  computed?: { from: string; compute(text: string): string; isUnique?: true }
  /** Words of a client, of so many code points at most. */
  codePointsMax?: number
}

/** One table, as all migrations together make it. */
export type Table = {
  name: string
  columns: Readonly<Record<string, Column>>
  /** The columns of its primary key. */
  key: readonly string[]
  /** Whether the table gives out its ids, ascending and each once. */
  assignsIds?: true
  /** Whether its ids begin at 1 even where others are told to begin later (`--first-id`). */
  ignoresFirstId?: true
  /** Whether rows may be deleted: then an id that was given out may have none. */
  mayBeDeleted?: true
  /** The rows that the migrations insert: values by column. */
  firstRows?: readonly Readonly<Record<string, number>>[]
}

/** Fills, within the migration of this name, what SQL alone cannot compute. */
export type Backfill = { migration: string; run(sql: Sql): Promise<void> }

/** Work that is done once a second while the service runs. Idempotent: of several processes each does it. */
type Job = { name: string; run(db: Db, nowMs: number): Promise<void> }

/** Names a row; a key of several columns with `/` between them. */
export type RecordName = { table: string; id: string }

/** What is wrong with a row, or with the store as a whole. */
export type Finding = {
  record: RecordName | null
  message: string
  /** What a repair does about it; null where that is for a person to decide. */
  repair: string | null
  /** The files themselves are damaged: whoever writes to them may make it worse. */
  forbidsRepairs?: true
}

/** One promise about the data, and the repair of a row that breaks it. */
export type Check = {
  name: string
  /** What holds where nothing is found. */
  promise: string
  scan: Scan<undefined, readonly Finding[]>
  /** Looks again behind the lock of the row, and repairs what is still wrong. */
  repair?: Transaction<RecordName, null>
}

/** What a feature keeps in the database, and what runs there by name. */
export type Storage = {
  tables: readonly Table[]
  writes: readonly Write<unknown, unknown>[]
  scans: readonly Scan<unknown, unknown>[]
  backfills: readonly Backfill[]
  checks: readonly Check[]
  jobs: readonly Job[]
  /** By operation: the table of the record that it returns, where a repeated request returns it again. */
  effects: Readonly<Record<string, string>>
}

/** Keeps the parts of a feature's storage; what it leaves out is empty. */
export function defineStorage(parts: Partial<Storage>): Storage {
  return {
    tables: [],
    backfills: [],
    jobs: [],
    effects: {},
    ...parts,
    ...withChecks(parts),
  }
}

/** The scans and repairs of checks run by name, as all others do. */
function withChecks({ writes = [], scans = [], checks = [] }: Partial<Storage>) {
  const repairs = checks.flatMap(({ repair }) =>
    repair ? [repair as Write<unknown, unknown>] : [],
  )
  return {
    writes: [...writes, ...repairs],
    scans: [...scans, ...checks.map(({ scan }) => scan as Scan<unknown, unknown>)],
    checks,
  }
}

/** The storage of several features as one. */
export function combineStorage(storages: readonly Storage[]): Storage {
  return {
    tables: storages.flatMap(({ tables }) => tables),
    writes: storages.flatMap(({ writes }) => writes),
    scans: storages.flatMap(({ scans }) => scans),
    backfills: storages.flatMap(({ backfills }) => backfills),
    checks: storages.flatMap(({ checks }) => checks),
    jobs: storages.flatMap(({ jobs }) => jobs),
    effects: Object.assign({}, ...storages.map(({ effects }) => effects)),
  }
}

/** The tables that `--first-id` is about. */
export function tablesFrom({ tables }: Storage): string[] {
  return tables
    .filter(({ assignsIds, ignoresFirstId }) => assignsIds && !ignoresFirstId)
    .map(({ name }) => name)
}
