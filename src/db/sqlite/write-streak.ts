import { availableParallelism } from 'node:os'
import { awakeMaxMs } from './stay-awake.ts'

/** So many writes in a row, each soon after another, are those of a client that does one thing after the other. */
const streakMin = 4
/** An answer that takes so long is held against those who stayed awake: others needed the processors. */
const lateMs = 2 * awakeMaxMs
/**
 * For so many writes no thread stays awake after an answer was late: for the least of them where the streak had lasted as
 * long as that, otherwise for twice as many as the last time.
 */
const pauseMin = 16
const pauseMax = 4_096

/**
 * Tells which writes continue a streak: one at a time, each soon after the one before, and nothing read in between. For
 * each of them two threads would fall asleep and be woken, which takes half as long as the commit. To stay awake instead
 * takes processor time. Where others need the processors, an answer is late, and there is a pause; where each sync takes
 * long, no write comes soon after the one before.
 */
export function createWriteStreak(processors = availableParallelism()) {
  /** Below zero, so many writes of a pause are left. */
  let length = 0
  let pause = pauseMin
  let lastBeganMs = 0
  let underWay = 0

  function continues(writes: number, nowMs: number): boolean {
    const isAlone = writes === 1 && underWay === 0
    const isSoon = nowMs - lastBeganMs < awakeMaxMs
    if (isAlone && isSoon) length += 1
    else end()
    lastBeganMs = nowMs
    return length >= streakMin && processors > 1
  }

  function end() {
    length = Math.min(length, 0)
  }

  function rest() {
    pause = length < pauseMin ? Math.min(2 * pause, pauseMax) : pauseMin
    length = -pause
  }

  return {
    /** Runs so many writes, and tells `run` whether they continue a streak. */
    async run<A>(writes: number, run: (isStreak: boolean) => Promise<A>): Promise<A> {
      const beganMs = performance.now()
      const isStreak = continues(writes, beganMs)
      underWay += 1
      try {
        return await run(isStreak)
      } finally {
        underWay -= 1
        if (isStreak && performance.now() - beganMs >= lateMs) rest()
      }
    },
    /** Somebody reads. */
    end,
  }
}
