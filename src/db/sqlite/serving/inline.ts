import { createBatcher } from '../../batching/batcher.ts'
import { createMutex } from '../../batching/mutex.ts'
import { createSharedReads } from '../../batching/shared-reads.ts'
import type { Db } from '../../db.ts'
import { instantMs } from '../../deadline.ts'
import type { OnCommit } from '../../on-commit.ts'
import type { Storage } from '../../storage.ts'
import { createCommitReporter } from '../../writes/run-write.ts'
import { type Connection, inMemory } from '../connection.ts'
import { explainOpening } from '../explain-opening.ts'
import { countCommits, openWitness } from '../loss/witness.ts'
import { requireUnmarkedIn } from '../migrate.ts'
import { commitBatch, type NamedJob, writesOf } from './commit.ts'
import { runScan, type ScanJob } from './scanner.ts'
import { assemble } from './serve.ts'
import { fileSizes } from './served-files.ts'
import { readsAtOnce } from './served-reads.ts'

type InlineOptions = {
  path: string
  storage: Storage
  /** Closes the connection and releases the lock; absent in memory. */
  close?(): void
  onCommit?: OnCommit | undefined
  warn?(sentence: string): void
}

/** A database on this thread, with one connection. */
export function inline(
  connection: Connection,
  { storage, path, close = connection.close, onCommit, warn = () => undefined }: InlineOptions,
): Db {
  const witness = path === inMemory ? undefined : openWitness(path, warn)
  const commits = witness && countCommits(connection, witness)
  const steps = commits && {
    // Another process may have marked the store since the last commit.
    first: () => requireUnmarkedIn(connection, path),
    last: commits.count,
  }
  const known = writesOf(storage)
  const reportCommitted = createCommitReporter({ onCommit, warn })
  const exclusively = createMutex()
  const explain = (error: unknown): never => {
    throw explainOpening(path, error)
  }
  // A transaction awaits only resolved values, so it ends before the next turn of the event loop, in which shared reads
  // run: they never see an open transaction.
  const reads = createSharedReads(
    (query, inputs) => query.run(connection, inputs).catch(explain),
    readsAtOnce,
  )
  const writes = createBatcher(async (jobs: NamedJob[]) => {
    const sentMs = instantMs()
    const committed = await exclusively(async () => {
      const done = await commitBatch(connection, known, jobs, steps)
      commits?.witness()
      return done
    }).catch(explain)
    await reportCommitted(jobs, committed, { sentMs, pending: writes.pending() })
    return committed.settled
  }, 1)
  // Commands, which have a file, wait for a scan however long it takes.
  const deadline = path === inMemory ? {} : { deadlineMs: Number.POSITIVE_INFINITY }
  const scan = (job: ScanJob) =>
    exclusively(() => runScan(connection, storage.scans, { ...job, ...deadline })).catch(explain)
  return assemble(reads, writes, {
    scan,
    scanSnapshot: scan,
    sizes: () => fileSizes(path),
    close: async () => {
      witness?.close()
      close()
    },
  })
}
