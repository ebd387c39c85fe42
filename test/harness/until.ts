import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Many times the duration of anything that a test waits for. */
const waitMaxMs = 120_000
const pauseMaxMs = 10

/** Polls until the condition holds. Throws after two minutes, unless another time is given. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  maxMs = waitMaxMs,
): Promise<void> {
  const endMs = performance.now() + maxMs
  for (let pauseMs = 1; !(await isSo()); pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
    assert.ok(performance.now() < endMs, `after ${maxMs} ms, not yet: ${isSo}`)
    await sleep(pauseMs)
  }
}
