import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  lstatSync,
  openSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { giveToOwnerOf } from '../../files/give-to-owner.ts'
import { openRegular } from '../../files/open-regular.ts'
import { syncDirectory } from '../../files/sync.ts'
import { fill } from './log-format.ts'
import { type CountedCommit, parseStoreRow, type StoreRow } from './store-row.ts'

/** One sector of a disk, which a power cut does not tear. */
const slotBytes = 512
const witnessBytes = 2 * slotBytes
const sumDigits = 8
const textMax = slotBytes - sumDigits - 2
/** A witness that was not synced is lost in a power cut at most. */
const syncDelayMs = 1_000

/** The path of the witness of a database. */
export function witnessPath(path: string): string {
  return `${path}.witness`
}

/**
 * The witness of a database: a file that says how many commits were acknowledged. It is written after the sync of a commit
 * and before its responses, so the database never has fewer commits unless some were lost. Returns its readable slots; none
 * unless it is a regular file that has room for them.
 */
export function readWitness(path: string): StoreRow[] {
  const found = lstatSync(witnessPath(path), { throwIfNoEntry: false })
  if (!found?.isFile() || found.size < witnessBytes) return []
  const descriptor = openRegular(witnessPath(path))
  if (descriptor === undefined) return []
  try {
    const bytes = Buffer.alloc(witnessBytes)
    fill(descriptor, bytes, 0)
    return [bytes.subarray(0, slotBytes), bytes.subarray(slotBytes)]
      .map(decode)
      .filter((row) => row !== undefined)
  } finally {
    closeSync(descriptor)
  }
}

export type WitnessWriter = {
  /** Syncs the first of its writes. Throws the errors of the file system. */
  write(commit: CountedCommit): void
  /** Syncs and closes the file. */
  close(): void
}

/** Opens the witness of a database to write to it; creates it, with room for both slots, where it is missing. */
export function openWitness(path: string, onError: (error: Error) => void): WitnessWriter {
  const descriptor = openOrCreate(path)
  let slot = 0
  let isFirst = true
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function syncSoon() {
    timer ??= setTimeout(() => {
      timer = undefined
      fdatasync(descriptor, (error) => error && !isClosed && onError(error))
    }, syncDelayMs).unref()
  }

  return {
    write(commit) {
      const buffer = encode(commit)
      writeSync(descriptor, buffer, 0, slotBytes, slot * slotBytes)
      slot = 1 - slot
      // Both slots may be of another store.
      if (isFirst) {
        writeSync(descriptor, buffer, 0, slotBytes, slot * slotBytes)
        fdatasyncSync(descriptor)
      }
      isFirst = false
      syncSoon()
    },
    close() {
      clearTimeout(timer)
      isClosed = true
      try {
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

function openOrCreate(path: string): number {
  const existing = openRegular(witnessPath(path), constants.O_RDWR)
  if (existing !== undefined) return existing
  const descriptor = openSync(witnessPath(path), 'wx+')
  try {
    giveToOwnerOf(path, witnessPath(path))
    writeSync(descriptor, Buffer.alloc(witnessBytes), 0, witnessBytes, 0)
    fsyncSync(descriptor)
    syncDirectory(dirname(path))
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}

/** A slot: a checksum, the store with its number of commits, a line for each table with its last id, and spaces. */
function encode({ store, commits, ids }: CountedCommit): Buffer {
  const slot = Buffer.alloc(slotBytes, ' ')
  const line = `${store} ${commits}`
  // Where a store has more tables than fit, their last ids are left out.
  slot.write(line.length + ids.length <= textMax ? line + ids : line, sumDigits + 1, 'latin1')
  slot[slotBytes - 1] = 0x0a
  slot.write(sumOf(slot), 0, 'latin1')
  return slot
}

function decode(slot: Buffer): StoreRow | undefined {
  if (slot.toString('latin1', 0, sumDigits) !== sumOf(slot)) return undefined
  return parseStoreRow(slot.toString('latin1', sumDigits + 1).trimEnd())
}

function sumOf(slot: Buffer): string {
  return crc32(slot.subarray(sumDigits)).toString(16).padStart(sumDigits, '0')
}
