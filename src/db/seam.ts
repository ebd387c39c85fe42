import type { ErrorCode } from '../errors.ts'

/** What a statement binds and answers; integers come back as `bigint`. */
export type Value = string | bigint | number | Uint8Array | null
export type Row = Value[]
export type Parameter = Value | readonly bigint[]

type Column = { name: string; type: 'text' | 'bigint' }

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
}

/** A value, or a refusal that the caller is told. Plain data: it crosses threads. */
export type Outcome<V> = { value: V } | { refusal: { code: ErrorCode; message: string } }

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

/** A named read over a set of inputs, one answer for each. Inputs with the same `key` are asked once. */
export type Query<I, O> = {
  key(input: I): string
  run(sql: Sql, inputs: readonly I[]): Promise<O[]>
}

/** A named read that may visit the whole table. `checkTime` throws once its deadline is over. */
export type Scan<I, O> = {
  name: string
  run(sql: Sql, input: I, checkTime: () => void): Promise<O>
}

/** What a thread of the database loads by name. */
export type Statements = {
  transactions: readonly Transaction<unknown, unknown>[]
  scans: readonly Scan<unknown, unknown>[]
}

/** The seam between the service and its database. Sharing lives behind it; verbs do not know of it. */
export interface Db {
  /** Answers from what was committed when the read was asked for, or later; never from earlier. */
  read<I, O>(query: Query<I, O>, input: I): Promise<O>
  /** As `read`, away from the serving thread, within 2 s. Throws `unavailable`. */
  scan<I, O>(scan: Scan<I, O>, input: I): Promise<O>
  /** Resolves once it is durable. Throws the refusal, or `unavailable`. */
  write<I, V>(transaction: Transaction<I, V>, input: I): Promise<V>
  /** Finishes what waits, then lets go of the database. */
  close(): Promise<void>
}
