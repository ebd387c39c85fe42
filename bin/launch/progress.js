const tickMs = 500

/**
 * Reports on standard error what is being done. A terminal also shows the elapsed time and the received bytes, so that a
 * slow network can be told from a stalled one. `receive` takes the number of bytes, `end` removes that line.
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
