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
import { performance, timers } from '../../../timers.ts'
import { giveToOwnerOf } from '../../files/give-to-owner.ts'
import { openRegular } from '../../files/open-regular.ts'
import { syncDirectory } from '../../files/sync.ts'
import type { LastIds } from '../../schema/last-ids.ts'
import type { Connection } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { fill } from './log-format.ts'
import { parseStoreRow, type StoreRow, selectStoreRow } from './store-row.ts'

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

type Witness = {
  /** Writes the count of a commit, with ids that may be a second old. Syncs the first of its writes. */
  write(commit: StoreRow): void
  /** Syncs and closes the file. */
  close(): void
}

/**
 * Opens the witness of a database when it is first written; creates it, with room for both slots, where it is missing. A
 * commit is acknowledged although its witness cannot be written: it is durable, and only a loss would go unnoticed. `warn` is
 * called once then.
 */
export function openWitness(path: string, warn: (sentence: string) => void): Witness {
  let opened: number | undefined
  let slot = 0
  let isFirst = true
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isBroken = false

  function fail(error: unknown) {
    if (!isBroken) warn(describeFailure(path, error))
    isBroken = true
  }

  function syncSoon(descriptor: number) {
    timer ??= timers
      .setTimeout(() => {
        timer = undefined
        fdatasync(descriptor, (error) => error && !isClosed && fail(error))
      }, syncDelayMs)
      .unref()
  }

  return {
    write(commit) {
      try {
        opened ??= openOrCreate(path)
        const buffer = encode(commit)
        writeSync(opened, buffer, 0, slotBytes, slot * slotBytes)
        slot = 1 - slot
        // Both slots may be of another store.
        if (isFirst) {
          writeSync(opened, buffer, 0, slotBytes, slot * slotBytes)
          fdatasyncSync(opened)
        }
        isFirst = false
        syncSoon(opened)
      } catch (error) {
        fail(error)
      }
    },
    close() {
      timers.clearTimeout(timer)
      isClosed = true
      if (opened === undefined) return
      try {
        try {
          fsyncSync(opened)
        } finally {
          closeSync(opened)
        }
      } catch (error) {
        fail(error)
      }
    },
  }
}

/**
 * Gives a store that has no id one, and its witness, before anything is acknowledged: a copy of the file alone lacks the
 * witness. Nothing where the disk is full.
 */
export function identifyStore(
  connection: Connection,
  path: string,
  warn: (sentence: string) => void,
): void {
  if (selectStoreRow(connection)) return
  try {
    insertRow(connection)
  } catch (error) {
    if (failureOf(error) === undefined) throw error
    return
  }
  const witness = openWitness(path, warn)
  witness.write(selectStoreRow(connection) as StoreRow)
  witness.close()
}

type CommitCounter = {
  /** Counts the commit that follows, unless nothing was changed; the last statement of its transaction. */
  count(): void
  /** Writes the count to the witness: after the commit, and before anything is acknowledged. */
  witness(): void
}

/** How long the last ids are reused: reading them costs as much as counting. `recover` skips more ids than a second takes. */
const idsMaxMs = 1_000

/**
 * Counts the commits of a connection; the connections of a thread, one after the other, have one witness. A store without an id
 * gets one.
 */
export function countCommits(connection: Connection, witness: Witness): CommitCounter {
  let changes = 0n
  let rowId = 0n
  let ids: LastIds = {}
  let readMs = Number.NEGATIVE_INFINITY
  let counted: StoreRow | undefined

  /** Nothing where nothing was changed, or the store has no id yet. */
  function raise(): [string, bigint] | undefined {
    const [row] = connection.all<[string, bigint]>(
      `update sqlite_sequence set seq = seq + 1
      where rowid = ?1 and name glob 'store:*' and total_changes() > ?2 returning name, seq`,
      [rowId, changes],
    )
    return row
  }

  return {
    count() {
      counted = undefined
      let row = raise()
      if (!row) {
        if (selectChanges(connection) <= changes) return
        rowId = selectRowId(connection) ?? insertRow(connection)
        row = raise() as [string, bigint]
      }
      changes = selectChanges(connection)
      const now = performance.now()
      if (now - readMs > idsMaxMs) {
        ids = selectStoreRow(connection)?.ids ?? {}
        readMs = now
      }
      counted = { store: row[0], commits: row[1], ids }
    },
    witness() {
      if (counted) witness.write(counted)
      counted = undefined
    },
  }
}

function selectChanges(connection: Connection): bigint {
  return connection.all<[bigint]>('select total_changes()')[0]?.[0] ?? 0n
}

function selectRowId(connection: Connection): bigint | undefined {
  const rows = connection.all<[bigint]>(
    "select rowid from sqlite_sequence where name glob 'store:*'",
  )
  return rows[0]?.[0]
}

function insertRow(connection: Connection): bigint {
  const [row] = connection.all<[bigint]>(
    `insert into sqlite_sequence (name, seq) values ('store:' || lower(hex(randomblob(16))), 0)
    returning rowid`,
  ) as [[bigint]]
  return row[0]
}

function describeFailure(path: string, error: unknown): string {
  return `The witness of ${path} cannot be written (${(error as Error).message}). Changes are stored as before; a damaged log may lose the last of them unnoticed.`
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
function encode({ store, commits, ids }: StoreRow): Buffer {
  const slot = Buffer.alloc(slotBytes, ' ')
  const line = `${store} ${commits}`
  const lines = [line, ...Object.entries(ids).map(([table, id]) => `${table} ${id}`)].join('\n')
  // Where a store has more tables than fit, their last ids are left out.
  slot.write(lines.length <= textMax ? lines : line, sumDigits + 1, 'latin1')
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
