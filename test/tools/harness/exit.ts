const pending = new Set<() => void>()

process.once('exit', () => {
  for (const undo of pending) undo()
})

/** Calls `undo` when this process exits before the returned function was called. */
export function undoAtExit(undo: () => void): () => void {
  pending.add(undo)
  return () => pending.delete(undo)
}

/** A signal makes this process exit, so that what it started ends with it. */
export function exitOnSignals(): void {
  for (const [signal, exitCode] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => process.exit(exitCode))
  }
}
