import type { Clock } from '../context/context.ts'

/** A clock that tests set, advance and freeze. Milliseconds since 1970-01-01T00:00:00Z. */
export type TestClock = {
  now: Clock
  isFrozen(): boolean
  set(nowMs: number): void
  advance(ms: number): void
  /** A frozen clock shows one instant until it is set or advanced. */
  freeze(isFrozen: boolean): void
  /** Shows again what the clock beneath shows. */
  reset(): void
}

/** Begins with the instants of `beneath`, a clock that runs. */
export function createTestClock(beneath: Clock): TestClock {
  let aheadMs = 0
  let frozenAt: number | undefined

  const now = () => frozenAt ?? beneath() + aheadMs

  function set(nowMs: number) {
    if (frozenAt === undefined) aheadMs = nowMs - beneath()
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
      aheadMs = 0
      frozenAt = undefined
    },
  }
}
