import { ServiceError } from '../contract/service-error.ts'
import type { Db } from '../db/db.ts'
import type { SnapshotWrites } from './queries.ts'

/** Snapshots of the store's contents, by name. */
export type Snapshots = {
  names(): string[]
  has(name: string): boolean
  /** Throws `not_found`. */
  require(name: string): void
  /** Saves the contents; an earlier snapshot of this name is replaced. Not while another save or drop runs. */
  save(name: string): Promise<void>
  /** Throws `not_found`. */
  restore(name: string): Promise<void>
  /** Throws `not_found`. */
  drop(name: string): Promise<void>
  /** Deletes all contents and restarts the ids. */
  empty(): Promise<void>
}

/** Those of clients; the test bench has two of its own. */
export const snapshotsMax = 100
const numberMax = snapshotsMax + 2

export function createSnapshots(
  db: Db,
  writes: SnapshotWrites,
  firstId: bigint | undefined,
): Snapshots {
  const numbers = new Map<string, number>()
  const lastId = (firstId ?? 1n) - 1n

  function numberOf(name: string): number {
    const number = numbers.get(name)
    if (number !== undefined) return number
    throw new ServiceError('not_found', `There is no snapshot called ${JSON.stringify(name)}.`)
  }

  /** Reuses numbers, so that their SQL statements stay prepared. */
  function freeNumber(): number {
    const taken = new Set(numbers.values())
    for (let number = 1; number <= numberMax; number++) if (!taken.has(number)) return number
    throw new Error(`There are more than ${numberMax} snapshots.`)
  }

  return {
    names: () => [...numbers.keys()],
    has: (name) => numbers.has(name),
    require(name) {
      numberOf(name)
    },
    async save(name) {
      const replaced = numbers.get(name)
      if (replaced !== undefined) await db.write(writes.drop, { number: replaced })
      numbers.delete(name)
      const number = freeNumber()
      await db.write(writes.save, { number })
      numbers.set(name, number)
    },
    async restore(name) {
      await db.write(writes.restore, { number: numberOf(name) })
    },
    async drop(name) {
      await db.write(writes.drop, { number: numberOf(name) })
      numbers.delete(name)
    },
    async empty() {
      await db.write(writes.empty, { lastId })
    },
  }
}
