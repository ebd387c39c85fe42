import type { Clock } from '../context/context.ts'

export type TestClock = ReturnType<typeof createTestClock>

/**
 * A clock that follows `underlying`, a running clock, until it is set, advanced or frozen. Milliseconds since
 * 1970-01-01T00:00:00Z.
 */
export function createTestClock(underlying: Clock) {
  let aheadMs = 0
  let frozenAt: number | undefined

  const now = () => frozenAt ?? underlying() + aheadMs

  function set(nowMs: number) {
    if (frozenAt === undefined) aheadMs = nowMs - underlying()
    else frozenAt = nowMs
  }

  return {
    now,
    isFrozen: () => frozenAt !== undefined,
    set,
    advance: (ms: number) => set(now() + ms),
    /** `true` stops the clock: it shows one instant until it is set or advanced. `false` starts it from there. */
    freeze(isFrozen: boolean) {
      const nowMs = now()
      frozenAt = isFrozen ? nowMs : undefined
      set(nowMs)
    },
    /** Follows the underlying clock again. The returned function sets it as it was. */
    reset() {
      const before = { aheadMs, frozenAt }
      aheadMs = 0
      frozenAt = undefined
      return () => {
        aheadMs = before.aheadMs
        frozenAt = before.frozenAt
      }
    },
  }
}
