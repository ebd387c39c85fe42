import type { DamagedRow } from './damaged-row.ts'
import type { SchemaDifference } from './schema-difference.ts'

/** A bound or returned value; integers are returned as `bigint`. */
export type Value = string | bigint | number | Uint8Array | null
export type Row = Value[]
export type Parameter = Value | readonly bigint[]

type Column = { name: string; type: 'text' | 'bigint' }

/** Damage that an engine reports. With `isInRows` the files themselves are intact. */
export type Damage = { message: string; isInRows: boolean }

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
  /** A condition: the column is in a parameter made by `set`. */
  isAnyOf(column: string, parameter: string): string
  set(ids: readonly bigint[]): Parameter
  /** The suffix of a select that locks its rows, in the order of the result. */
  readonly forUpdate: string
  /** Whether statements are planned without the values that they are run with. */
  readonly isPlannedOnce: boolean
  /** The last id that a table has assigned. */
  lastId(table: string): Promise<bigint> | bigint
  /** Makes a table assign only ids above this one, also with concurrent inserts. */
  skipIds(table: string, last: bigint): Promise<void> | void
  /** Checks all stored data, where the engine supports it. */
  findDamage(): Promise<Damage[]> | Damage[]
}

/** The queries of a scan. */
export interface ScanSql extends Sql {
  /**
   * How the schema differs from the one that the migrations make. On PostgreSQL, objects of others that change nothing
   * are omitted.
   */
  compareSchema(): Promise<SchemaDifference[]> | SchemaDifference[]
}

/**
 * A named write of one input. It runs on the database's thread, in a database transaction. Input and value are plain
 * data; throwing rolls it back. Throws `Refusal`.
 */
export type Transaction<I, V> = {
  name: string
  run(sql: Sql, input: I): Promise<V>
}

/**
 * A named write of many inputs in few statements; it returns one value for each input, in order. Throwing rolls all
 * of it back.
 */
export type Batch<I, V> = {
  name: string
  /** Whether it is one statement: PostgreSQL then needs no `begin` and `commit` around it. */
  isOneStatement?: true
  runMany(sql: Sql, inputs: readonly I[]): Promise<V[]>
}

export type Write<I, V> = Transaction<I, V> | Batch<I, V>

/** Keeps the exact types of a transaction. */
export function defineTransaction<I, V>(transaction: Transaction<I, V>): Transaction<I, V> {
  return transaction
}

/** Keeps the exact types of a batch. */
export function defineBatch<I, V>(batch: Batch<I, V>): Batch<I, V> {
  return batch
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
}

/** The value of an idempotent write, and whether it is a replay. */
export type Replayable<V> = { value: V; isReplayed: boolean }

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
  run(sql: ScanSql, input: I, checkTime: () => void): Promise<O>
}

/** The interface between the service and its database. Batching and sharing are behind it. */
export interface Db {
  /** Returns state that was committed when the read was requested, or later; never older. */
  read<I, O>(query: Query<I, O>, input: I): Promise<O>
  /**
   * As `read`, outside of the serving thread, for at most 2 s once started. Throws `unavailable`, also after waiting
   * too long to start.
   */
  scan<I, O>(scan: Scan<I, O>, input: I): Promise<O>
  /** Resolves once the write is durable. Throws `Refusal` or `Unavailable`. */
  write<I, V>(write: Write<I, V>, input: I): Promise<V>
  /**
   * As `write`, at most once for the claim: a repetition returns the first result, also after a crash and in other
   * processes. Throws `idempotency_key_reused`, `idempotency_key_in_use`.
   */
  writeIdempotent<I, V>(
    write: Write<I, V>,
    input: I,
    claim: IdempotencyClaim,
  ): Promise<Replayable<V>>
  /** Finishes pending work, then closes the database. */
  close(): Promise<void>
}
