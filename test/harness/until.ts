import assert from 'node:assert/strict'

/** Many times the duration of anything that a test waits for. */
const waitMaxMs = 120_000

/** Resolves once the condition holds, checked in each turn of the event loop. Throws after two minutes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitMaxMs
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, `after ${waitMaxMs} ms, not yet: ${isSo}`)
    await new Promise(setImmediate)
  }
}
