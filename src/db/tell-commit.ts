import type { ServeOptions } from './open-options.ts'
import type { ChangeCounts, CommitTimes, Job } from './run-write.ts'

/** A batch that is stored: its changes, its commit, and when that began, on the clock of `sentMs`. */
type Stored = { commit: CommitTimes; changed: ChangeCounts; beganMs: number }

/**
 * Returns what tells observers of a stored batch; of batches that share a commit, the first one reports it. A commit without
 * inputs is none. What observers throw is a warning: it must not change the outcome of what is stored. `sentMs`: when the batch
 * was sent; `pending`: how many inputs wait or run, those of the commit included.
 */
export function tellOf({ onCommit, warn = () => undefined }: Partial<ServeOptions>) {
  let reported: CommitTimes | undefined

  async function tell(observer: () => void | Promise<void>) {
    try {
      await observer()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      warn(`An observer of commits failed: ${reason}`)
    }
  }

  return async (
    jobs: readonly Job[],
    { commit, changed, beganMs }: Stored,
    { sentMs, pending }: { sentMs: number; pending: number },
  ) => {
    if (!onCommit || commit.inputs === 0) return
    const { reported: report, committed } = onCommit
    const waits = { waiting: pending - commit.inputs, waitedMs: Math.max(0, beganMs - sentMs) }
    if (report && commit !== reported) await tell(() => report({ ...commit, changed, ...waits }))
    reported = commit
    const origins = jobs.map(({ origin }) => origin)
    await tell(() => committed({ origins, changed, commit }))
  }
}
