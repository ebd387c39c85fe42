import type { Db, Write } from './db.ts'

type Listener = () => Promise<void>

/**
 * A database that calls listeners after committed writes, and resolves a write once they have run. A failing listener
 * is reported and does not fail the write, which is stored.
 */
export function withCommitListeners(db: Db, report: (error: unknown) => void) {
  const listeners = new Map<string, Listener[]>()

  async function after<V>(write: string, stored: Promise<V>): Promise<V> {
    const value = await stored
    for (const listener of listeners.get(write) ?? []) await listener().catch(report)
    return value
  }

  const listening: Db = {
    ...db,
    write(write, input) {
      const stored = db.write(write, input)
      return listeners.has(write.name) ? after(write.name, stored) : stored
    },
    writeIdempotent(write, input, claim) {
      const performed = db.writeIdempotent(write, input, claim)
      return listeners.has(write.name) ? after(write.name, performed) : performed
    },
  }
  return {
    db: listening,
    /** Calls the listener after each commit of one of these writes by this process. */
    onCommit(writes: readonly Write<never, unknown>[], listener: Listener) {
      for (const { name } of writes) listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
  }
}
