import type { TransferMark } from '../transfer-mark.ts'
import type { StoreReader, StoreWriter } from './copying.ts'

/** A store that is read while no process serves it, and nobody writes to it. */
export type HeldSource = StoreReader & {
  mark: TransferMark | undefined
  /** Sets or removes the mark, durably. Nothing is read afterwards. */
  setMark(mark: TransferMark | undefined): Promise<void>
}

/** A place for a store, where no process can serve one meanwhile. */
export type HeldTarget = {
  /** The mark of a transfer that was interrupted. */
  mark: TransferMark | undefined
  /** Empties the place, and fills it with a store that has this mark. */
  fill(mark: TransferMark): Promise<StoreWriter>
  /** Throws where the place is not held any more. */
  requireHeld(): Promise<void>
  /** Takes the mark away: the store may be served. */
  release(): Promise<void>
  close(): Promise<void>
}
