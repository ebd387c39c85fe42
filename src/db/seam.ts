import type { ErrorCode } from '../errors.ts'

/** What a statement binds and answers; integers come back as `bigint`. */
export type Value = string | bigint | number | Uint8Array | null
export type Row = Value[]
export type Parameter = Value | readonly bigint[]

type Column = { name: string; type: 'text' | 'bigint' }

/** What an engine says is wrong with its own files; what is in rows alone leaves them whole. */
export type Damage = { message: string; isInRows: boolean }

/** One connection, inside one transaction or snapshot. Parameters are numbered `?1`, `?2` … */
export interface Sql {
  /** Runs one statement and answers its rows, each an array in the order of the columns. */
  all<R extends Row>(text: string, parameters?: readonly Parameter[]): Promise<R[]> | R[]
  /** Inserts many rows as the engine does it fastest, all or none; answers the new ids in their order. */
  insert(
    table: string,
    columns: readonly Column[],
    rows: readonly Row[],
  ): Promise<bigint[]> | bigint[]
  /** A condition: the column is one of the ids in a parameter that `set` makes. */
  isAnyOf(column: string, parameter: string): string
  set(ids: readonly bigint[]): Parameter
  /** What a select ends with so that its rows are locked, in the order in which it answers them. */
  readonly forUpdate: string
  /** The last id that a table has given out: ids beyond it are yet to come. */
  lastId(table: string): Promise<bigint> | bigint
  /** Lets a table give out no id up to this one any more, whoever inserts meanwhile. */
  skipIds(table: string, last: bigint): Promise<void> | void
  /** Looks through all that the engine stores, where it can do so. */
  findDamage(): Promise<Damage[]> | Damage[]
}

/** Others held a row, or a key, for longer than a transaction waits. Nothing was stored. */
export class LockTimeout extends Error {
  override name = 'LockTimeout'
}

/** What the caller is told instead of a value. Plain data, as all that crosses the seam. */
export type Refusal = { refusal: { code: ErrorCode; message: string } }
export type Outcome<V> = { value: V } | Refusal

export function refuse(code: ErrorCode, message: string): Refusal {
  return { refusal: { code, message } }
}

/**
 * A named write. It runs where the database is: nothing crosses the seam but plain inputs and
 * outcomes, one outcome for each input. `together` says that a run is one statement, so that inputs
 * that wait may share it; without it each input runs alone, and a refusal undoes what that run did.
 */
export type Transaction<I, V> = {
  name: string
  together: boolean
  run(sql: Sql, inputs: readonly I[]): Promise<Outcome<V>[]>
}

/**
 * Names one request among all repetitions of it: the same `key` of the same caller and operation. Only
 * success is kept, until `expiresAt`; what was asked, as `fingerprint`, has to be the same each time.
 * Instants in milliseconds since 1970.
 */
export type Once = {
  keyId: bigint
  operation: string
  key: string
  fingerprint: Uint8Array
  now: number
  expiresAt: number
}

/** What a write that is done once answers, this time or again. */
export type Performed<V> = { value: V; isReplayed: boolean }

/** A named read over a set of inputs, one answer for each. Inputs with the same `key` are asked once. */
export type Query<I, O> = {
  key(input: I): string | bigint
  run(sql: Sql, inputs: readonly I[]): Promise<O[]>
}

/** A named read that may visit the whole table. `checkTime` throws once its deadline is over. */
export type Scan<I, O> = {
  name: string
  run(sql: Sql, input: I, checkTime: () => void): Promise<O>
}

/** Fills, within the migration of this name, what SQL alone cannot compute. */
export type Fill = { migration: string; run(sql: Sql): Promise<void> }

/** What runs by name away from the serving thread, and what migrations need. */
export type Statements = {
  transactions: readonly Transaction<unknown, unknown>[]
  scans: readonly Scan<unknown, unknown>[]
  fills: readonly Fill[]
}

/** The seam between the service and its database. Sharing lives behind it; verbs do not know of it. */
export interface Db {
  /** Answers from what was committed when the read was asked for, or later; never from earlier. */
  read<I, O>(query: Query<I, O>, input: I): Promise<O>
  /** As `read`, away from the serving thread, within 2 s. Throws `unavailable`. */
  scan<I, O>(scan: Scan<I, O>, input: I): Promise<O>
  /** Resolves once it is durable. Throws the refusal, or `unavailable`. */
  write<I, V>(transaction: Transaction<I, V>, input: I): Promise<V>
  /**
   * As `write`, and at most once: a repetition answers what the first one did, also after a crash, and by any process.
   * Throws `idempotency_key_reused`, `idempotency_key_in_use`.
   */
  writeOnce<I, V>(transaction: Transaction<I, V>, input: I, once: Once): Promise<Performed<V>>
  /** Finishes what waits, then lets go of the database. */
  close(): Promise<void>
}
