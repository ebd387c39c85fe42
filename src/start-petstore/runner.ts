import { isBelowNodeTest } from '../config/config.ts'
import { timers } from '../timers.ts'

const checkEveryMs = 1_000

/**
 * Calls `end` once the test runner that started this process is gone, as after kill -9: nobody waits for a test that may
 * run on here. Returns what stops watching.
 */
export function watchRunner(end: () => void): () => void {
  // Most runners have a channel to their workers; that of Node has none, and is their parent.
  const { connected, ppid } = process
  const isParentRunner = isBelowNodeTest()
  const timer = timers.setInterval(() => {
    const isGone = (connected && !process.connected) || (isParentRunner && process.ppid !== ppid)
    if (!isGone) return
    timers.clearInterval(timer)
    end()
  }, checkEveryMs)
  timer.unref()
  return () => timers.clearInterval(timer)
}
