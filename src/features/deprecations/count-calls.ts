import type { Db } from '../../db/db.ts'
import type { Job } from '../../db/storage.ts'
import { addDeprecatedCalls } from './queries.ts'

const dayMs = 86_400_000

type Counted = { operation: string; keyId: bigint; calls: number }

/** Counts calls of deprecated operations in memory. `job` stores them each minute: no call waits for a write. */
export function createCallCounter() {
  const counts = new Map<string, Counted>()

  function add(operation: string, keyId: bigint, calls = 1) {
    const id = `${operation} ${keyId}`
    const known = counts.get(id)
    if (known) known.calls += calls
    else counts.set(id, { operation, keyId, calls })
  }

  /** Stores what was counted, as calls of today. A minute over midnight counts as the later day. */
  async function store(db: Db, nowMs: number): Promise<void> {
    if (counts.size === 0) return
    const day = Math.floor(nowMs / dayMs)
    const stored = [...counts.values()]
    counts.clear()
    try {
      await db.write(
        addDeprecatedCalls,
        stored.map((one) => ({ ...one, day })),
      )
    } catch (error) {
      for (const { operation, keyId, calls } of stored) add(operation, keyId, calls)
      throw error
    }
  }

  const job: Job = {
    name: 'storeDeprecatedCalls',
    intervalMs: 60_000,
    isBackground: true,
    async runStep(db, nowMs) {
      await store(db, nowMs)
      return false
    },
  }
  return { add, store, job }
}
