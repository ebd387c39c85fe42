import { explainWriting } from '../files/explain-writing.ts'
import { giveToOwnerOf } from '../files/give-to-owner.ts'
import type { AssignedIds } from '../schema/last-ids.ts'
import type { Table } from '../storage.ts'
import { enterDatabase } from './locking/lock.ts'
import { preparePlace, requireAccess } from './locking/prepare.ts'
import {
  filesOf,
  listAside,
  replaceStore,
  undoReplacement,
  unfinishedStore,
} from './locking/replace-store.ts'
import { readAssignedIds } from './loss/assigned-ids.ts'

/** A place for a store in a file, which no other process uses meanwhile. */
type Destination = Disposable & {
  /** The first of the files of a store that is there, or was kept aside; `undefined` where there is none. */
  found: string | undefined
  isTaken: boolean
  /** Where a store is written until it is complete. */
  unfinished: string
  /** The ids that must not be assigned again. */
  readIds(tables: readonly Table[]): Promise<AssignedIds>
  /** Puts the complete store there; returns the name under which another one is kept. */
  replace(nowMs: number): string | undefined
}

/** Holds a place; puts back what an interrupted command was replacing. Throws OpenError. */
export function holdDestination(given: string): Destination {
  const path = preparePlace(given)
  using held = new DisposableStack()
  held.use(enterDatabase(path, 'replace'))
  explainWriting(path, () => undoReplacement(path))
  const unfinished = unfinishedStore(path)
  const isTaken = filesOf(path).length > 0
  const stores = [...(isTaken ? [path] : []), ...listAside(path)]
  const lock = held.move()
  return {
    found: stores.flatMap(filesOf)[0],
    isTaken,
    unfinished,
    async readIds(tables) {
      for (const file of stores.flatMap(filesOf))
        requireAccess(file, `${file}, whose ids must stay unused,`, 'read')
      const { ids, isExact } = await readAssignedIds(stores, tables)
      // What was kept had a successor here: without it, nothing tells what that has assigned.
      return { ids, isExact: isTaken && isExact }
    },
    replace: (nowMs) =>
      explainWriting(path, () => {
        giveToOwnerOf(path, unfinished)
        return replaceStore(path, unfinished, { reason: 'replaced', nowMs })
      }),
    [Symbol.dispose]: () => lock.dispose(),
  }
}
