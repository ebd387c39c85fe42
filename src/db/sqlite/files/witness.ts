import { closeSync, fdatasync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { giveToOwnerOf } from '../give-to-owner.ts'
import { parseStoreRow, type StoreRow } from '../store-row.ts'
import { syncDirectory } from '../sync-directory.ts'

/** One sector of a disk, which a power cut does not tear. */
const slotBytes = 512
const slots = 2
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
 * and before its responses, so the database never has fewer commits unless some were lost. Returns its readable slots.
 */
export function readWitness(path: string): StoreRow[] | 'missing' {
  let bytes: Buffer
  try {
    bytes = readFileSync(witnessPath(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
  return Array.from({ length: slots }, (_, slot) =>
    decode(bytes.subarray(slot * slotBytes, (slot + 1) * slotBytes)),
  ).filter((row) => row !== undefined)
}

export type WitnessWriter = {
  /** Writes the lines of `CommitCounter.count`. Throws the errors of the file system. */
  write(text: string): void
  /** Syncs and closes the file. */
  close(): void
}

/** Opens the witness of a database to write to it; creates it, with room for both slots, where it is missing. */
export function openWitness(path: string, onError: (error: Error) => void): WitnessWriter {
  const descriptor = openOrCreate(path)
  const buffer = Buffer.alloc(slotBytes)
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
    write(text) {
      encode(text, buffer)
      writeSync(descriptor, buffer, 0, slotBytes, slot * slotBytes)
      slot = 1 - slot
      // Both slots may be of another store.
      if (isFirst) writeSync(descriptor, buffer, 0, slotBytes, slot * slotBytes)
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
  try {
    return openSync(witnessPath(path), 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const descriptor = openSync(witnessPath(path), 'wx+')
  try {
    giveToOwnerOf(path, witnessPath(path))
    writeSync(descriptor, Buffer.alloc(slots * slotBytes), 0)
    fsyncSync(descriptor)
    syncDirectory(dirname(path))
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}

function encode(text: string, slot: Buffer) {
  slot.fill(0x20)
  slot.write(text.length <= textMax ? text : ownLineOf(text), sumDigits + 1, 'latin1')
  slot[slotBytes - 1] = 0x0a
  const sum = crc32(slot.subarray(sumDigits))
  slot.write(sum.toString(16).padStart(sumDigits, '0'), 0, 'latin1')
}

/** Where a store has more tables than fit, their last ids are left out. */
function ownLineOf(text: string): string {
  return text.split('\n').find((line) => line.startsWith('store:')) ?? ''
}

function decode(slot: Buffer): StoreRow | undefined {
  if (slot.length < slotBytes) return undefined
  const sum = crc32(slot.subarray(sumDigits)).toString(16).padStart(sumDigits, '0')
  if (slot.toString('latin1', 0, sumDigits) !== sum) return undefined
  return parseStoreRow(slot.toString('latin1', sumDigits + 1).trimEnd())
}
