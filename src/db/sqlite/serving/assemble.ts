import type { Batcher } from '../../batching/batcher.ts'
import type { createSharedReads } from '../../batching/shared-reads.ts'
import { createSharedScans } from '../../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Origin, Replayable, Write } from '../../db.ts'
import { instantMs, scanMaxMs } from '../../deadline.ts'
import { Refusal, Unavailable } from '../../errors.ts'
import type { NamedJob, Settled } from './commit.ts'
import type { ScanJob, Scanned } from './scanner.ts'

/** One worker runs all scans, one of each kind at a time, so that a search waits for one count at most. */
const scansAtOnce = 1

/** The interface `Db` over reads, writes and scans. */
export function assemble(
  reads: ReturnType<typeof createSharedReads>,
  writes: Batcher<NamedJob, Settled>,
  { scan, close }: { scan(job: ScanJob): Promise<Scanned>; close(): Promise<void> },
): Db {
  const scans = createSharedScans(
    async ({ name }, input) =>
      settle(await scan({ name, input, deadlineMs: instantMs() + scanMaxMs })),
    scansAtOnce,
  )
  return {
    read: reads.read,
    scan: scans.scan,
    async write<I, V>({ name }: Write<I, V>, input: I, origin?: Origin) {
      return (settle(await writes.add({ name, input, origin })) as Replayable<V>).value
    },
    async writeIdempotent<I, V>(
      { name }: Write<I, V>,
      input: I,
      claim: IdempotencyClaim,
      origin?: Origin,
    ) {
      return settle(await writes.add({ name, input, claim, origin })) as Replayable<V>
    },
    async close() {
      await writes.idle()
      await close()
    },
  }
}

function settle(outcome: Settled | Scanned): unknown {
  if ('value' in outcome) return outcome.value
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable)
  if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.message)
  throw new Error(`A statement failed: ${outcome.defect}`)
}
