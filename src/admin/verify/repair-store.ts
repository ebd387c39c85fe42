import type { Db } from '../../db/db.ts'
import { Refusal } from '../../db/errors.ts'
import type { Check } from '../../db/storage.ts'
import type { Result } from './verify-store.ts'

/** The batch size of repairs: a concurrent write waits for one batch at most. */
const repairsAtOnce = 100

/** Runs the repairs of these findings. Each checks again first, and does nothing where the fault is gone, or refuses. */
export async function repairStore(
  { db }: { db: Pick<Db, 'write'> },
  checks: readonly Check[],
  results: readonly Result[],
): Promise<void> {
  for (const { name, findings } of results) {
    const transaction = checks.find((check) => check.name === name)?.repair
    const records = findings.flatMap(({ record, repair }) => (record && repair ? [record] : []))
    if (!transaction) continue
    for (let first = 0; first < records.length; first += repairsAtOnce) {
      const some = records.slice(first, first + repairsAtOnce)
      const done = await Promise.allSettled(some.map((record) => db.write(transaction, record)))
      for (const one of done)
        if (one.status === 'rejected' && !(one.reason instanceof Refusal)) throw one.reason
    }
  }
}
