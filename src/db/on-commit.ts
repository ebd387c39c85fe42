import type { Origin } from './db.ts'

/**
 * A batch that was committed. Batches of one commit have the same `commit`, and are reported one after the other.
 */
export type CommittedBatch = {
  /** Of its inputs, in order. */
  origins: readonly (Origin | undefined)[]
  /** The changes that it logged. */
  changed: ChangeCounts
  commit: CommitTimes
}

/** How many inputs one commit stored, and how long its statements and the commit itself took. */
export type CommitTimes = { inputs: number; statementsMs: number; commitMs: number }

/** How many changes of each type were logged. */
export type ChangeCounts = ReadonlyMap<string, number>

/**
 * A commit as the writer sees it: what it logged, how many inputs wait for a later one, and how long its oldest input waited
 * for it.
 */
export type CommitReport = CommitTimes & {
  changed: ChangeCounts
  waiting: number
  waitedMs: number
}

/**
 * `committed` is called for each batch after its commit; the writes of the batch resolve once it has. `reported` is called
 * before that, once for each commit.
 */
export type OnCommit = {
  committed(batch: CommittedBatch): void | Promise<void>
  reported?: ((report: CommitReport) => void) | undefined
}
