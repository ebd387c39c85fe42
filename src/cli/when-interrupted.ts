const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Cleans up when a signal arrives, and lets it end the process. Returns a function that cancels this. */
export function whenInterrupted(cleanUp: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    cancel()
    cleanUp()
    process.kill(process.pid, signal)
  }
  const cancel = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return cancel
}
