const tickMs = 500

/**
 * Says on standard error what is being done; at a terminal also for how long already, and how much was received, so that a
 * slow network is told from a standstill. `receive` takes the number of bytes, `end` removes the line again.
 */
export function announceWork(sentence) {
  const { stderr } = process
  console.error(sentence)
  if (!stderr.isTTY) return { receive() {}, end() {} }
  const startMs = Date.now()
  let received = ''
  const timer = setInterval(() => {
    stderr.write(`\r  ${Math.round((Date.now() - startMs) / 1_000)} s${received}`)
  }, tickMs)
  timer.unref()
  return {
    receive(bytes) {
      received = `, ${(bytes / 1e6).toFixed(1)} MB`
    },
    end() {
      clearInterval(timer)
      stderr.write('\r\u001b[K')
    },
  }
}
