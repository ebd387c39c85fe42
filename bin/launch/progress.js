const tickMs = 500

/**
 * Says on standard error what is being done; at a terminal also for how long already, so that a slow network is told from a
 * standstill. Returns what removes the time again.
 */
export function announceWork(sentence) {
  const { stderr } = process
  console.error(sentence)
  if (!stderr.isTTY) return () => {}
  const startMs = Date.now()
  const timer = setInterval(() => {
    stderr.write(`\r  ${Math.round((Date.now() - startMs) / 1_000)} s`)
  }, tickMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    stderr.write('\r\u001b[K')
  }
}
