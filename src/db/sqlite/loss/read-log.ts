import { closeSync, fstatSync } from 'node:fs'
import { openRegular } from '../../files/open-regular.ts'
import { type Frame, fill, framesOf, logHeaderBytes, pageOf, parseLogHeader } from './log-format.ts'
import { findStoreRow } from './sequence-page.ts'
import { latestRow, type StoreRow } from './store-row.ts'

/** The contents of a write-ahead log, as far as damage is concerned. */
export type LogContents = {
  /** The whole frames in the file. */
  frames: number
  /** The number of the first bad frame, from 1. */
  firstBad?: number
  /**
   * Behind the first bad frame there is a commit that a later transaction follows. SQLite begins a transaction after the
   * sync of the commit before it, so all frames up to that commit were on the disk: a power cut cannot explain the bad one.
   */
  isLossy: boolean
  /** The page with the row of the store, where a recovered frame has it, or else a sound one. */
  rowPage?: number
  /** That row in the first and the last recovered commit with it, and the latest in any sound frame. */
  first?: StoreRow
  last?: StoreRow
  latest?: StoreRow | undefined
}

/**
 * Reads the log at this path; `undefined` where there is none, it is empty, or its header is bad: SQLite ignores such a log.
 * Constant memory.
 */
export function readLog(path: string): LogContents | undefined {
  const descriptor = openRegular(path)
  if (descriptor === undefined) return undefined
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(logHeaderBytes)
    if (size <= logHeaderBytes || !fill(descriptor, bytes, 0)) return undefined
    const header = parseLogHeader(bytes)
    return header && contentsOf(framesOf(descriptor, size, header))
  } finally {
    closeSync(descriptor)
  }
}

/** SQLite recovers the frames before the first bad one, up to the last commit among them. */
function contentsOf(frames: Iterable<Frame>): LogContents {
  const contents: LogContents = { frames: 0, isLossy: false }
  /** The row in the frames since the last commit. */
  let pending: { row: StoreRow; page: number } | undefined
  let isAfterLateCommit = false
  for (const frame of frames) {
    contents.frames = frame.index + 1
    const row = frame.isSound ? findStoreRow(pageOf(frame)) : undefined
    if (row) contents.latest = latestRow(contents.latest, row)
    if (contents.firstBad === undefined && frame.isSound) {
      if (row) pending = { row, page: frame.page }
      if (!frame.isCommit || !pending) continue
      contents.first ??= pending.row
      contents.last = pending.row
      contents.rowPage = pending.page
      pending = undefined
    } else {
      contents.firstBad ??= frame.index + 1
      if (row) contents.rowPage ??= frame.page
      if (isAfterLateCommit && frame.isSound) contents.isLossy = true
      isAfterLateCommit = frame.isSound && frame.isCommit
    }
  }
  return contents
}
