import type { Batcher } from '../../batching/batcher.ts'
import { createLimiter } from '../../batching/limiter.ts'
import type { createSharedReads } from '../../batching/shared-reads.ts'
import { createSharedScans } from '../../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Origin, Scan, Write } from '../../db.ts'
import { deadlineOf, snapshotsAtOnce } from '../../deadline.ts'
import { Refusal, Unavailable } from '../../errors.ts'
import type { Sizes } from '../../load.ts'
import type { Job } from '../../run-write.ts'
import type { NamedJob, Settled } from './commit.ts'
import type { ScanJob, Scanned } from './scanner.ts'

/** One worker runs all scans, one of each kind at a time, so that a search waits for one count at most. */
const scansAtOnce = 1

/** The interface `Db` over reads, writes and scans. */
export function assemble(
  { read }: Pick<ReturnType<typeof createSharedReads>, 'read'>,
  writes: Batcher<NamedJob, Settled>,
  {
    scan,
    scanSnapshot,
    sizes,
    close,
  }: {
    scan(job: ScanJob): Promise<Scanned>
    /** As `scan`, beside it. */
    scanSnapshot(job: ScanJob): Promise<Scanned>
    sizes(): Promise<Sizes>
    close(): Promise<void>
  },
): Db {
  const scans = createSharedScans(
    async (one, input) => unwrap(await scan(jobOf(one, input))).value,
    scansAtOnce,
  )
  const snapshots = createLimiter(snapshotsAtOnce)
  const longWrites = createLimiter(1)
  const add = <I, V>({ name, isLong }: Write<I, V>, job: Job<I>) => {
    const named = { name, ...job }
    return isLong ? longWrites.run(() => writes.add(named)) : writes.add(named)
  }
  return {
    read,
    scan<I, O>(one: Scan<I, O>, input: I): Promise<O> {
      if (!one.isSnapshot) return scans.scan(one, input)
      return snapshots.run(async () => unwrap(await scanSnapshot(jobOf(one, input))).value as O)
    },
    async write<I, V>(write: Write<I, V>, input: I, origin?: Origin) {
      return unwrap(await add(write, { input, origin })).value as V
    },
    async writeIdempotent<I, V>(
      write: Write<I, V>,
      input: I,
      claim: IdempotencyClaim,
      origin?: Origin,
    ) {
      const { value, isReplayed = false } = unwrap(await add(write, { input, claim, origin }))
      return { value: value as V, isReplayed }
    },
    load: () => ({ writes: writes.queue(), scans: scans.queue() }),
    sizes,
    async close() {
      await writes.idle()
      await close()
    },
  }
}

function jobOf<I>(scan: Scan<I, unknown>, input: I): ScanJob {
  return { name: scan.name, input, deadlineMs: deadlineOf(scan) }
}

function unwrap(outcome: Settled | Scanned): { value: unknown; isReplayed?: true } {
  if ('value' in outcome) return outcome
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable)
  if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.message)
  throw new Error(`A statement failed: ${outcome.defect}`)
}
