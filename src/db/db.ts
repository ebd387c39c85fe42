import type { DamagedRow } from './damaged-row.ts'

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

/**
 * A named write of one input. It runs where the database is, in a database transaction: input and value are plain
 * data, and whatever it throws undoes what it did. Throws `Refusal`.
 */
export type Transaction<I, V> = {
  name: string
  run(sql: Sql, input: I): Promise<V>
}

/** A named write of many inputs in few statements: one value for each input, in their order. What it throws undoes it all. */
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
 * Names one request among all repetitions of it: the same `key` of the same caller and operation. Only
 * success is kept, until `expiresAt`; what was asked, as `fingerprint`, has to be the same each time.
 * Instants in milliseconds since 1970.
 */
export type IdempotencyClaim = {
  keyId: bigint
  operation: string
  key: string
  fingerprint: Uint8Array
  now: number
  expiresAt: number
  /** Whether the value is a secret: then it is not stored, and a repetition is refused. */
  isWithheld: boolean
}

/** What a write that is done once answers, this time or again. */
export type Replayable<V> = { value: V; isReplayed: boolean }

/**
 * A named read over a set of inputs, one result for each. Inputs with the same `key` are asked once. A damaged row is the
 * result of those alone who asked for it.
 */
export type Query<I, O> = {
  key(input: I): string | bigint
  run(sql: Sql, inputs: readonly I[]): Promise<(O | DamagedRow)[]>
}

/**
 * A named read that may visit the whole table. `checkTime` throws once its deadline is over. Inputs with the same `key`
 * share a run; without it none is shared.
 */
export type Scan<I, O> = {
  name: string
  key?(input: I): string
  run(sql: Sql, input: I, checkTime: () => void): Promise<O>
}

/** The seam between the service and its database. Sharing lives behind it; verbs do not know of it. */
export interface Db {
  /** Answers from what was committed when the read was asked for, or later; never from earlier. */
  read<I, O>(query: Query<I, O>, input: I): Promise<O>
  /** As `read`, away from the serving thread, within 2 s of its turn. Throws `unavailable`, also where the turn is long in coming. */
  scan<I, O>(scan: Scan<I, O>, input: I): Promise<O>
  /** Resolves once it is durable. Throws the refusal, or `unavailable`. */
  write<I, V>(write: Write<I, V>, input: I): Promise<V>
  /**
   * As `write`, and at most once: a repetition answers what the first one did, also after a crash, and by any process.
   * Throws `idempotency_key_reused`, `idempotency_key_in_use`.
   */
  writeIdempotent<I, V>(
    write: Write<I, V>,
    input: I,
    claim: IdempotencyClaim,
  ): Promise<Replayable<V>>
  /** Finishes what waits, then lets go of the database. */
  close(): Promise<void>
}
