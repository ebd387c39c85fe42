import type { Scan, Transaction } from '../db/seam.ts'

/** Names a row; a key of several columns with `/` between them. */
export type RecordName = { table: string; id: string }

/** What is wrong with a row, or with the store as a whole. */
export type Finding = {
  record: RecordName | null
  message: string
  /** What a repair does about it; null where that is for a person to decide. */
  repair: string | null
  /** The files themselves are damaged: whoever writes to them may make it worse. */
  forbidsRepairs?: true
}

/** One promise about the data, and what is done where it is broken. */
export type Check = {
  name: string
  /** What holds where nothing is found. */
  promise: string
  scan: Scan<undefined, readonly Finding[]>
  /** Looks again behind the lock of the row, and mends what is still wrong. */
  repair?: Transaction<RecordName, null>
}
