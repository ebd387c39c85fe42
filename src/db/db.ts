import { Refusal } from './errors.ts'
import type { Load, Replication, Sizes } from './opening/load.ts'
import type { DamagedRow } from './records/damaged-row.ts'
import type { SchemaDifference } from './schema/schema-difference.ts'

/** A bound or returned value; integers are returned as `bigint`. */
export type Value = string | bigint | number | Uint8Array | null
export type Row = Value[]
export type Parameter = Value | readonly bigint[]

export type Column = { name: string; type: 'text' | 'bigint' | 'bytes' }

/** Damage that an engine reports. With `isInRows` the files themselves are intact. */
export type DamageReport = { message: string; isInRows: boolean }

/** The highest visible id of a table, and the one up to which no transaction will add rows; that may fall meanwhile. */
export type SettledIds = { last: bigint; settled: bigint }

/** One connection, inside one transaction or snapshot. Parameters are numbered `?1`, `?2` … */
export interface Sql {
  /** Runs one statement and returns its rows, each an array in column order. */
  all<R extends Row>(text: string, parameters?: readonly Parameter[]): Promise<R[]> | R[]
  /** Inserts rows in the engine's fastest way, all or none; returns the new ids in order. */
  insert(
    table: string,
    columns: readonly Column[],
    rows: readonly Row[],
  ): Promise<bigint[]> | bigint[]
  /**
   * Inserts rows into a table that is read in the order of ids: who has seen all up to `settled` never finds a lower id
   * later. To be called at the end of a transaction: of two that change one record, the first then has the lower ids.
   */
  insertInOrder(
    table: string,
    columns: readonly Column[],
    rows: readonly Row[],
  ): Promise<void> | void
  /** Inserts rows as `insert` does and a row of the log for each in one statement; where that saves a round trip. */
  insertLogged?(
    table: string,
    columns: readonly Column[],
    rows: readonly Row[],
    log: LogRows,
  ): Promise<bigint[]>
  /** Waits, a second at most, for the transactions that write to the table now; returns whether they have ended. */
  writersEnded(table: string): Promise<boolean> | boolean
  /** How far such a table can be read. Later statements see all rows up to `settled`. */
  settledIds(table: string): Promise<SettledIds> | SettledIds
  /**
   * Rows as a table `input` of a statement: what follows `from`, which uses one parameter for all, or one for each column,
   * from `?1` on.
   */
  rows(columns: readonly Column[], rows: readonly Row[]): { from: string; parameters: Parameter[] }
  /** A condition: the column is in a parameter made by `set`. */
  isAnyOf(column: string, parameter: string): string
  set(ids: readonly bigint[]): Parameter
  /** The suffix of a select that locks its rows, in the order of the result. */
  readonly forUpdate: string
  /** As `forUpdate`, without the rows that other transactions hold. */
  readonly forUpdateOfFree: string
  /** Whether other processes may serve the same database. */
  readonly isShared: boolean
  /** An expression: the time of day of the database, in milliseconds since 1970. */
  readonly now: string
  /** Whether statements are planned without the values that they are run with. */
  readonly isPlannedOnce: boolean
  /** The last id that a table has assigned. */
  lastId(table: string): Promise<bigint> | bigint
  /** Makes a table assign only ids above this one, also with concurrent inserts. */
  skipIds(table: string, last: bigint): Promise<void> | void
  /** Checks all stored data, where the engine supports it. */
  findDamage(): Promise<DamageReport[]> | DamageReport[]
}

/** The queries of a scan. */
export interface ScanSql extends Sql {
  /** How the schema differs from that of the migrations; on PostgreSQL without harmless objects of others. */
  compareSchema(): Promise<SchemaDifference[]> | SchemaDifference[]
}

/** The outcome of one input of a write. A refusal does not affect the other inputs. */
export type Outcome<V> = { value: V } | { refusal: Refusal }

/** A change of one record, for the log. */
export type Change = {
  /** As `pet.updated`. */
  type: string
  /** The kind of the record, by which the log is searched, and its id. */
  record: string
  id: bigint
  /** The whole record after the change; before it, where the change is a deletion. */
  data: object
  /** The whole record before the change; absent for a new one and for a deletion. */
  before?: object | undefined
  /** Who made the change, where it is not who sent the input. */
  actor?: OriginActor | undefined
  /** Whether it is logged even where nothing has changed: after damage, who follows the log may know another record. */
  isRepair?: true | undefined
}

/** Who makes changes: an API key, or the job or command of this name. */
type OriginActor = { type: 'key' | 'job' | 'command'; name: string; keyId?: bigint }

/** Where an input of a write comes from. `now`: milliseconds since 1970. */
export type Origin = {
  actor: OriginActor
  now: number
  requestId?: string | undefined
  /** Its span, as W3C Trace Context writes it. */
  traceparent?: string | undefined
}

/** A change, and where the input came from that made it. */
export type LoggedChange = Change & { origin: Origin }

/** A new record, before its id is known: `data` without `id`, which becomes its first member. */
type NewRecord = Omit<Change, 'id' | 'before' | 'actor'> & { input: unknown }

/** Rows of the log. `record_id` is the id of the record, and `data` its JSON text. */
type LogRows = { table: string; columns: readonly Column[]; rows: readonly Row[] }

/** What keeps the log of changes, in the order in which they were made. */
export type Log = {
  table: string
  columns: readonly Column[]
  rowsOf(changes: readonly LoggedChange[]): Row[]
  /** Begins a new log: what was known by earlier positions may no longer be true. Ids go on. */
  restart(sql: Sql): Promise<void>
}

/** `Sql` inside the transaction of a write. */
export interface Tx extends Sql {
  /**
   * Logs a change that `input` made, or, where that is undefined, one that no input asked for; nothing where the record
   * is as before. What a refused input recorded is dropped; so is all that was recorded in an attempt that is refused.
   */
  record(input: unknown, change: Change): void
  /**
   * Inserts and records new records, one for each row; returns their ids in order. It is the only statement of its write,
   * which refuses nothing: on PostgreSQL it commits in the same round trip.
   */
  create(
    table: string,
    columns: readonly Column[],
    rows: readonly Row[],
    records: readonly NewRecord[],
  ): Promise<bigint[]>
  /** Runs one input of several under a savepoint; returns its value, or the Refusal that it threw. */
  attempt<V>(work: () => Promise<V>): Promise<Outcome<V>>
  /** For the last statement of a write that records nothing: PostgreSQL commits in the same round trip. */
  readonly last: Pick<Sql, 'all' | 'insertInOrder' | 'insertLogged'>
}

/**
 * A named write of many inputs in order of arrival. It runs where the database is, in one transaction; inputs and values
 * are plain data. `run` returns an outcome for each input, in order. What it throws rolls all inputs back; then they are
 * run apart from each other.
 */
export type Write<I, V> = {
  name: string
  /** The row that an input locks. While another transaction holds it for long, only inputs of this row wait. */
  rowOf?(input: I): bigint | string
  /** Whether an input is many changes, or a large one: a process runs one such input at a time. */
  isLong?: true
  run(tx: Tx, inputs: readonly I[]): Promise<Outcome<V>[]>
}

/** Keeps the exact types of a write. */
export function defineWrite<I, V>(write: Write<I, V>): Write<I, V> {
  return write
}

/**
 * A write whose statements take one input at a time: each input is run under a savepoint. `run` throws `Refusal`, which
 * undoes that input alone. Inputs are run in the order of their rows, so that concurrent batches cannot deadlock.
 */
export function oneByOne<I, V>({
  name,
  rowOf,
  run,
}: Pick<Write<I, V>, 'name' | 'rowOf'> & {
  run(tx: Tx, input: I): Promise<V>
}): Write<I, V> {
  return {
    name,
    ...(rowOf ? { rowOf } : {}),
    async run(tx, inputs) {
      if (inputs.length === 1) return [{ value: await run(tx, inputs[0] as I) }]
      const places = inputs.map((input, index) => ({ input, index, row: rowOf?.(input) ?? 0 }))
      places.sort((a, b) => (a.row < b.row ? -1 : Number(a.row > b.row)))
      const outcomes: Outcome<V>[] = []
      for (const { input, index } of places)
        outcomes[index] = await tx.attempt(() => run(tx, input))
      return outcomes
    },
  }
}

/** The outcomes of inputs that are decided in order: what `decide` returns, or the Refusal that it throws. */
export function outcomesOf<I, V>(inputs: readonly I[], decide: (input: I) => V): Outcome<V>[] {
  return inputs.map((input) => {
    try {
      return { value: decide(input) }
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error }
      throw error
    }
  })
}

/**
 * Identifies a request and its repetitions by caller, operation and `key`. Only a success is stored, until `expiresAt`.
 * A repetition must have the same `fingerprint`. Instants in milliseconds since 1970.
 */
export type IdempotencyClaim = {
  keyId: bigint
  operation: string
  key: string
  fingerprint: Uint8Array
  now: number
  expiresAt: number
  /** Whether the value is a secret: it is not stored, and repetitions are refused. */
  isWithheld: boolean
  /** Why no result may be stored now: then only one that is stored already is replayed. */
  obstacle?: string | undefined
}

/** The value of an idempotent write, whether it is a replay, and how much room its result has taken. */
export type Replayable<V> = { value: V; isReplayed: boolean; bytes: number }

/**
 * A named read over a set of inputs, with one result for each. Inputs with equal `key` are read once. A damaged row is
 * the result only of the inputs that read it.
 */
export type Query<I, O> = {
  key(input: I): string | bigint
  run(sql: Sql, inputs: readonly I[]): Promise<(O | DamagedRow)[]>
}

/**
 * A named read that may visit the whole table. `checkTime` throws after the deadline. Inputs with equal `key` share a
 * run; without `key` none do.
 */
export type Scan<I, O> = {
  name: string
  key?(input: I): string
  /** Whether it reads one snapshot, for at most a minute, apart from other scans. */
  isSnapshot?: true
  run(sql: ScanSql, input: I, checkTime: () => void): Promise<O>
}

/** The interface between the service and its database. Batching and sharing are behind it. */
export interface Db {
  /** Returns state that was committed when the read was requested, or later; never older. */
  read<I, O>(query: Query<I, O>, input: I): Promise<O>
  /** As `read`, outside of the serving thread, for 2 s at most, or a minute. Throws `unavailable`, also after a long wait. */
  scan<I, O>(scan: Scan<I, O>, input: I): Promise<O>
  /** Resolves once the write is durable. Throws `Refusal` or `Unavailable`. */
  write<I, V>(write: Write<I, V>, input: I, origin?: Origin): Promise<V>
  /**
   * As `write`, at most once for the claim: a repetition returns the first result, also after a crash and in other
   * processes. Throws `idempotency_key_reused`, `idempotency_key_in_use`, `too_many_idempotency_keys`.
   */
  writeIdempotent<I, V>(
    write: Write<I, V>,
    input: I,
    claim: IdempotencyClaim,
    origin?: Origin,
  ): Promise<Replayable<V>>
  /** Resolves once writes can run; absent where they can from the first. Throws OpenError. */
  ready?(): Promise<void>
  /** What waits for the database in this process now. */
  load(): Load
  /** How much space the store takes, read now. Rejects where it cannot be read. */
  sizes(): Promise<Sizes>
  /** Where the store is replicated from; absent where the engine has no replicas. */
  replication?(): Promise<Replication>
  /** Finishes pending work, then closes the database. */
  close(): Promise<void>
}
