import type { Clock } from '../context/context.ts'
import { errorKindOf } from '../contract/error-codes.ts'
import type { Db } from '../db/db.ts'
import { countResults } from '../db/writes/idempotency-storage.ts'

const { retryAfterSeconds = 0 } = errorKindOf('too_many_idempotency_keys')
const countAgainMs = retryAfterSeconds * 1_000

/** How many results are stored, or may be, and how much room they take. */
type Room = { count: number; bytes: number }

export type StoredResults = ReturnType<typeof createStoredResults>

/**
 * Limits the results of Idempotency-Keys that are stored for each API key, and in all. They are counted in the background, at
 * the first request and then once a minute while there are some; what this process stores in between is added. So a limit is
 * exceeded by no more than the requests in progress, and by what other processes store in a minute.
 */
export function createStoredResults(
  { db, clock }: { db: Db; clock: Clock },
  limits: { ofKey: Room; inAll: Room },
) {
  let keys = new Map<bigint, Room>()
  let all: Room = { count: 0, bytes: 0 }
  let dueMs = Number.NEGATIVE_INFINITY

  function count() {
    const now = clock()
    if (now < dueMs) return
    dueMs = now + countAgainMs
    db.scan(countResults, { now }).then(
      (counted) => {
        keys = new Map(counted.map(({ keyId, ...room }) => [keyId, room]))
        all = counted.reduce(sumOf, { count: 0, bytes: 0 })
      },
      // Counted again in a minute.
      () => undefined,
    )
  }

  return {
    /** Why no further result may be stored for a key, in words. */
    findObstacle(keyId: bigint): string | undefined {
      count()
      return (
        obstacleOf('this API key', keys.get(keyId), limits.ofKey) ??
        obstacleOf('all API keys', all, limits.inAll)
      )
    },

    add(keyId: bigint, bytes: number): void {
      const stored = { count: 1, bytes }
      keys.set(keyId, sumOf(keys.get(keyId) ?? { count: 0, bytes: 0 }, stored))
      all = sumOf(all, stored)
    },
  }
}

function sumOf(one: Room, other: Room): Room {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes }
}

function obstacleOf(whose: string, stored: Room | undefined, max: Room): string | undefined {
  if (!stored || (stored.count < max.count && stored.bytes < max.bytes)) return undefined
  return `For ${whose} the results of ${stored.count} requests with an Idempotency-Key are stored, in ${stored.bytes} bytes, each for 24 hours; at most ${max.count} in ${max.bytes} bytes may be. Send fewer such requests, or ask the operator of the store for a higher limit.`
}
