import type { Db, Log, Scan, ScanSql, Sql, Write } from './db.ts'

/** How the service computes a column from another one. */
export type Computation = { from: string; compute(text: string): string; isUnique?: true }

/** What the migrations do not say of a table. Its columns follow from them: `src/db/doors/tables-at.ts`. */
export type Table = {
  name: string
  /** Whether the table assigns its ids, ascending and unique. */
  assignsIds?: true
  /**
   * Whether it says who may use the store and how, instead of what the store holds: a reset of the contents keeps it, and
   * `--first-id` does not apply to it.
   */
  survivesReset?: true
  /** Whether it describes this file or database instead of its contents: copies do not have its rows. */
  isLocal?: true
  /** Whether a local table's rows go along where the store moves. */
  movesAlong?: true
  /** The rows that the migrations insert: values by column. */
  firstRows?: readonly Readonly<Record<string, number | null>>[]
  /** The maximum lengths of the texts of clients, in code points, by column. */
  texts?: Readonly<Record<string, number>>
  /** As `texts`, of those that may have several lines. */
  lines?: Readonly<Record<string, number>>
  /**
   * The kind of the events about its rows, and the columns whose changes are events. A part is under the id of a pet, and goes
   * with that without an event of its own.
   */
  recorded?: { kind: string; columns: readonly string[]; isPart?: true }
  /** The columns that the service computes. */
  computed?: Readonly<Record<string, Computation>>
}

/** How much is kept of the log of changes, and how many of the deliveries of webhooks. */
export type LogLimits = { ageMaxMs: number; max: number; deliveriesMax: number }

/** Work that each process does at an interval. Idempotent. */
export type Job = {
  name: string
  intervalMs: number
  /** Whether a start does not wait for it, and it rests after each step for as long as that took. */
  isBackground?: true
  /** A short part of what is due; returns whether more may be left. */
  runStep(db: Db, nowMs: number, limits: LogLimits | undefined): Promise<boolean>
}

/** Names a row; a key of several columns with `/` between them. */
export type RecordName = { table: string; id: string }

/** A fault of a row, or of the whole store. */
export type Finding = {
  record: RecordName | null
  message: string
  /** What the repair does; null where a person must decide. */
  repair: string | null
  /** The files are damaged: writing may make it worse. */
  forbidsRepairs?: true
}

/** A check of the data, and the repair of a violating row. */
export type Check = {
  name: string
  /** What the check verifies. */
  promise: string
  scan: Scan<undefined, readonly Finding[]>
  /** Checks again under the row's lock, and repairs what is still wrong. */
  repair?: Write<RecordName, null>
}

/** A check that finds what `find` yields. */
export function defineCheck({
  find,
  ...check
}: Omit<Check, 'scan'> & {
  find(sql: ScanSql, checkTime: () => void): AsyncIterable<Finding> | Iterable<Finding>
}): Check {
  const name = `verify${check.name.charAt(0).toUpperCase()}${check.name.slice(1)}`
  const run = (sql: ScanSql, _input: undefined, checkTime: () => void) =>
    Array.fromAsync(find(sql, checkTime))
  return { ...check, scan: { name, run } }
}

/** What is wrong with a row, and what the repair does; without one a person must decide. */
export function findingOf(
  table: string,
  id: bigint | string,
  message: string,
  repair: string | null = null,
): Finding {
  return { record: { table, id: String(id) }, message, repair }
}

/** A feature's tables, and its named work in the database. */
export type Storage = {
  tables: readonly Table[]
  writes: readonly Write<unknown, unknown>[]
  scans: readonly Scan<unknown, unknown>[]
  checks: readonly Check[]
  jobs: readonly Job[]
  /** The log of what writes record; one feature has it. */
  log?: Log | undefined
  /** Throws `configuration` for rows of a store of before 1.0.0 that this version does not take; one feature has it. */
  requireAdoptable?: RequireAdoptable | undefined
}

type RequireAdoptable = (sql: Pick<Sql, 'all'>, database: string, then?: string) => Promise<void>

/** The storage of all features, and the module that exports it as `storage`, which worker threads load. */
export type Declared = { storage: Storage; storageUrl: string }

/** A feature's storage; absent parts are empty. The scans and repairs of its checks are among the named ones. */
export function defineStorage({
  writes = [],
  scans = [],
  checks = [],
  ...parts
}: Partial<Storage>): Storage {
  const repairs = checks.flatMap(({ repair }) =>
    repair ? [repair as Write<unknown, unknown>] : [],
  )
  return {
    tables: [],
    jobs: [],
    checks,
    ...parts,
    writes: [...writes, ...repairs],
    scans: [...scans, ...checks.map(({ scan }) => scan as Scan<unknown, unknown>)],
  }
}

/** Combines the storage of several features. */
export function combineStorage(storages: readonly Storage[]): Storage {
  return {
    tables: storages.flatMap(({ tables }) => tables),
    writes: storages.flatMap(({ writes }) => writes),
    scans: storages.flatMap(({ scans }) => scans),
    checks: storages.flatMap(({ checks }) => checks),
    jobs: storages.flatMap(({ jobs }) => jobs),
    log: storages.find(({ log }) => log)?.log,
    requireAdoptable: storages.find((one) => one.requireAdoptable)?.requireAdoptable,
  }
}
