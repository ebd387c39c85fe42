import type { Queue } from './batching/queue.ts'

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
