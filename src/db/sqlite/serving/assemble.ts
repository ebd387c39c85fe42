import type { Batcher } from '../../batching/batcher.ts'
import type { createSharedReads } from '../../batching/shared-reads.ts'
import { createSharedScans } from '../../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Origin, Write } from '../../db.ts'
import { instantMs, scanMaxMs } from '../../deadline.ts'
import { Refusal, Unavailable } from '../../errors.ts'
import type { Sizes } from '../../load.ts'
import type { NamedJob, Settled } from './commit.ts'
import type { ScanJob, Scanned } from './scanner.ts'

/** One worker runs all scans, one of each kind at a time, so that a search waits for one count at most. */
const scansAtOnce = 1

/** The interface `Db` over reads, writes and scans. */
export function assemble(
  reads: ReturnType<typeof createSharedReads>,
  writes: Batcher<NamedJob, Settled>,
  {
    scan,
    sizes,
    close,
  }: {
    scan(job: ScanJob): Promise<Scanned>
    sizes(): Promise<Sizes>
    close(): Promise<void>
  },
): Db {
  const scans = createSharedScans(
    async ({ name }, input) =>
      unwrap(await scan({ name, input, deadlineMs: instantMs() + scanMaxMs })).value,
    scansAtOnce,
  )
  return {
    read: reads.read,
    scan: scans.scan,
    async write<I, V>({ name }: Write<I, V>, input: I, origin?: Origin) {
      return unwrap(await writes.add({ name, input, origin })).value as V
    },
    async writeIdempotent<I, V>(
      { name }: Write<I, V>,
      input: I,
      claim: IdempotencyClaim,
      origin?: Origin,
    ) {
      const { value, isReplayed = false } = unwrap(await writes.add({ name, input, claim, origin }))
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

function unwrap(outcome: Settled | Scanned): { value: unknown; isReplayed?: true } {
  if ('value' in outcome) return outcome
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable)
  if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.message)
  throw new Error(`A statement failed: ${outcome.defect}`)
}
