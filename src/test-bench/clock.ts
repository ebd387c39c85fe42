import type { Clock } from '../context/context.ts'

/** A clock that tests set, advance and freeze. Milliseconds since 1970-01-01T00:00:00Z. */
export type TestClock = {
  now: Clock
  isFrozen(): boolean
  set(nowMs: number): void
  advance(ms: number): void
  /** `true` stops the clock: it shows one instant until it is set or advanced. `false` starts it from there. */
  freeze(isFrozen: boolean): void
  /** Follows the underlying clock again. The returned function sets it as it was. */
  reset(): () => void
}

/** Follows `underlying`, a running clock, until it is set, advanced or frozen. */
export function createTestClock(underlying: Clock): TestClock {
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
    advance: (ms) => set(now() + ms),
    freeze(isFrozen) {
      const nowMs = now()
      frozenAt = isFrozen ? nowMs : undefined
      set(nowMs)
    },
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
