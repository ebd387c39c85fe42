const pending = new Set<() => void>()

process.once('exit', () => {
  for (const undo of pending) undo()
})

/** Calls `undo` when this process exits before the function that is returned was called. */
export function undoAtExit(undo: () => void): () => void {
  pending.add(undo)
  return () => pending.delete(undo)
}

/** A signal lets this process exit, so that what it has started ends with it. */
export function exitOnSignals(): void {
  for (const [signal, exitCode] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => process.exit(exitCode))
  }
}
