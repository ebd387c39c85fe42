import type { Clock } from '../context/context.ts'
import { errorKindOf } from '../contract/error-codes.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Db } from '../db/db.ts'
import { countResults } from '../db/idempotency-storage.ts'

const { retryAfterSeconds = 0 } = errorKindOf('too_many_idempotency_keys')
const countAgainMs = retryAfterSeconds * 1_000

export type StoredResults = ReturnType<typeof createStoredResults>

/**
 * Limits the results of Idempotency-Keys that are stored for each API key. They are counted in the background, at the first
 * request of a key and then once a minute while it sends some; what this process stores in between is added. So the limit
 * is exceeded by no more than the requests in progress, and by what other processes store in a minute.
 */
export function createStoredResults({ db, clock }: { db: Db; clock: Clock }, max: number) {
  const counts = new Map<bigint, { stored: number; dueMs: number }>()

  function countOf(keyId: bigint) {
    const count = counts.get(keyId) ?? { stored: 0, dueMs: Number.NEGATIVE_INFINITY }
    counts.set(keyId, count)
    return count
  }

  return {
    /** Throws `too_many_idempotency_keys`. */
    check(keyId: bigint): void {
      const count = countOf(keyId)
      const nowMs = clock()
      if (nowMs >= count.dueMs) {
        count.dueMs = nowMs + countAgainMs
        db.scan(countResults, { keyId, max }).then(
          (stored) => {
            count.stored = stored
          },
          // Counted again in a minute.
          () => undefined,
        )
      }
      if (count.stored < max) return
      throw new ServiceError(
        'too_many_idempotency_keys',
        `The results of ${max} requests with an Idempotency-Key are stored for this API key, each for 24 hours. Send fewer such requests, or ask the operator of the store for a higher limit.`,
      )
    },

    add(keyId: bigint): void {
      countOf(keyId).stored += 1
    },
  }
}
