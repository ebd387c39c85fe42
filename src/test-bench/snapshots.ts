import { ServiceError } from '../contract/service-error.ts'
import type { Db } from '../db/db.ts'
import type { SnapshotWrites } from './queries.ts'

/** Snapshots of the store's contents, by name. */
export function createSnapshots(db: Db, writes: SnapshotWrites, firstId: bigint | undefined) {
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
    let number = 1
    while (taken.has(number)) number += 1
    return number
  }

  /** Throws `not_found`. */
  async function drop(name: string) {
    await db.write(writes.drop, { number: numberOf(name) })
    numbers.delete(name)
  }

  return {
    names: () => [...numbers.keys()],
    has: (name: string) => numbers.has(name),
    /** Throws `not_found`. */
    require: (name: string) => void numberOf(name),
    /** Saves the contents; an earlier snapshot of this name is replaced. Not while another save or drop runs. */
    async save(name: string) {
      if (numbers.has(name)) await drop(name)
      const number = freeNumber()
      await db.write(writes.save, { number })
      numbers.set(name, number)
    },
    /** Throws `not_found`. */
    async restore(name: string) {
      await db.write(writes.restore, { number: numberOf(name) })
    },
    drop,
    /** Deletes all contents and restarts the ids. */
    async empty() {
      await db.write(writes.empty, { lastId })
    },
  }
}
