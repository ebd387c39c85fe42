import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import {
  type Checksum,
  checksumAt,
  fill,
  frameHeaderBytes,
  guessLogHeader,
  isEqual,
  type LogLayout,
  logHeaderBytes,
  parseLogHeader,
  sumOfFrame,
  sumOfHeader,
} from './log-format.ts'
import { mendFrame } from './mend-frame.ts'
import { findStoreRow } from './sequence-page.ts'
import { latestRow, type StoreRow } from './store-row.ts'

/** What was taken from a log. */
export type AppliedLog = {
  commits: number
  /** Frames with a flipped bit, which was corrected. */
  mended: number
  /** Frames of the log that are damaged beyond that, before a commit that was taken. */
  bad: number
}

/** How many damaged frames are searched for a flipped bit: it takes fifty milliseconds each. */
const searchesMax = 100

/**
 * Copies the pages of a log into a database file. `sound`: what SQLite would recover; `all`: also what is behind a damaged
 * frame, and proved by its own checksums and the counted commits. Constant memory.
 */
export function applyLog(
  log: string,
  database: string,
  { pageSize, extent }: { pageSize: number; extent: 'sound' | 'all' },
): AppliedLog {
  const source = openSync(log, 'r')
  const target = openSync(database, 'r+')
  try {
    return applyFrames(openFrames(source, pageSize), target, extent)
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

type Frames = {
  layout: LogLayout
  salts: Buffer
  start: Checksum
  isHeaderSound: boolean
  read(index: number): Buffer | undefined
}

function openFrames(descriptor: number, pageSize: number): Frames {
  const bytes = Buffer.alloc(logHeaderBytes)
  fill(descriptor, bytes, 0)
  const header = parseLogHeader(bytes)
  const layout = header ?? guessLogHeader(pageSize)
  const frameBytes = frameHeaderBytes + layout.pageSize
  const count = Math.floor((fstatSync(descriptor).size - logHeaderBytes) / frameBytes)
  const read = (index: number) => {
    if (index >= count) return undefined
    const frame = Buffer.from(new ArrayBuffer(frameBytes))
    return fill(descriptor, frame, logHeaderBytes + index * frameBytes) ? frame : undefined
  }
  // The salts of a damaged header are in each frame; two agree.
  const salts = header?.salts ?? (read(1) ?? read(0))?.subarray(8, 16) ?? Buffer.alloc(8)
  const start = header?.checksum ?? startOf(bytes, layout, read(0))
  return { layout, salts, start, isHeaderSound: header !== undefined, read }
}

/** The checksum that the first frame follows from: as stored, or as computed, where the header is damaged. */
function startOf(header: Buffer, layout: LogLayout, first: Buffer | undefined): Checksum {
  const computed = sumOfHeader(header, layout)
  const isNext = first && isEqual(sumOfFrame(first, layout, computed), checksumAt(first, 16))
  return isNext ? computed : checksumAt(header, 24)
}

function applyFrames(frames: Frames, target: number, extent: 'sound' | 'all'): AppliedLog {
  const { layout, salts, read } = frames
  const applied: AppliedLog = { commits: 0, mended: 0, bad: 0 }
  let before = frames.start
  const pending = createPending()
  let last: StoreRow | undefined
  let bad = 0
  let mended = 0
  let searches = 0
  if (extent === 'sound' && !frames.isHeaderSound) return applied
  let bytes = read(0)
  for (let index = 0; bytes; index++) {
    const next = read(index + 1)
    const isSearched = extent === 'all' && searches < searchesMax
    const found = mendFrame(bytes, { layout, salts, before, next, isSearched })
    if (!found || found.isMended) {
      if (extent === 'sound') return applied
      searches += 1
    }
    if (found) {
      if (found.isMended) mended += 1
      pending.add(index, bytes, found)
      if (bytes.readUInt32BE(4) !== 0) commit(bytes.readUInt32BE(4))
    } else bad += 1
    before = found?.checksum ?? checksumAt(bytes, 16)
    bytes = next
  }
  return applied

  /** Behind a damaged frame only a commit with a higher number is one: others are left of transactions that were rolled back. */
  function commit(pages: number) {
    const row = pending.row()
    const isLater = row !== undefined && (last === undefined || row.commits > last.commits)
    if (bad === 0 || isLater) {
      for (const frame of pending.frames(read)) {
        const content = frame.subarray(frameHeaderBytes)
        const position = (frame.readUInt32BE(0) - 1) * layout.pageSize
        writeSync(target, content, 0, content.length, position)
      }
      ftruncateSync(target, pages * layout.pageSize)
      applied.commits += 1
      applied.mended += mended
      applied.bad += bad
      last = latestRow(last, row)
      bad = 0
      mended = 0
    }
    pending.clear()
  }
}

/**
 * The frames of the transaction that is being read. It may be larger than the memory, so they are numbers, and read again;
 * only those of which a bit was corrected are kept.
 */
function createPending() {
  let ranges: { first: number; end: number }[] = []
  let corrected = new Map<number, Buffer>()
  let row: StoreRow | undefined

  return {
    add(index: number, bytes: Buffer, { isChanged }: { isChanged: boolean }) {
      const range = ranges.at(-1)
      if (range?.end === index) range.end += 1
      else ranges.push({ first: index, end: index + 1 })
      if (isChanged) corrected.set(index, bytes)
      row = findStoreRow(bytes.subarray(frameHeaderBytes)) ?? row
    },
    row: () => row,
    *frames(read: Frames['read']): Generator<Buffer> {
      for (const { first, end } of ranges) {
        for (let index = first; index < end; index++) {
          const frame = corrected.get(index) ?? read(index)
          if (!frame) throw new Error(`Frame ${index} of the log was cut meanwhile.`)
          yield frame
        }
      }
    },
    clear() {
      ranges = []
      corrected = new Map()
      row = undefined
    },
  }
}
