import type { Queue } from '../batching/queue.ts'

/** What waits for a database. */
export type Load = {
  /** Inputs of writes that have no outcome yet. */
  writes: Queue
  /** Scans that have not begun. */
  scans: Queue
  /** Connections to PostgreSQL, and how much work waits for one. */
  pool?: { open: number; idle: number; max: number; waiting: number }
}

/** In bytes; absent where the engine does not know. */
export type Sizes = { database?: number; log?: number; free?: number }

/** The primary of PostgreSQL, and its standbys. What the role may not see is absent. */
export type Replication = {
  /** Such as `one:5432`. */
  primary: string
  /** Standbys that are connected. */
  standbys: number
  /** Of them, those that commits wait for. */
  synchronousStandbys?: number
  /** How much of the log the last one has not yet on its disk. */
  behindBytes?: number
  /** What a failover would lose, or what commits wait for, in a sentence. */
  problem?: string
}
