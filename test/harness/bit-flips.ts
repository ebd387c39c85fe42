import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyFile } from '../../src/admin/backup/check-backup.ts'
import { storage } from '../../src/app/storage.ts'
import { tablesAt } from '../../src/db/doors/tables-at.ts'
import { OpenError } from '../../src/db/errors.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import { findLossAt } from '../../src/db/sqlite/loss/read-file-state.ts'
import { copyStore, crashStore } from './crashed-store.ts'
import { makeStore } from './damage-rounds.ts'
import type { SeededRandom } from './seeded-random.ts'

const pets = 40

type Flips = { flips: number; random: SeededRandom; onFlip(done: number): void }

/** `lost`: an acknowledged pet was missing, and nothing was said. */
type LogFlips = {
  flips: number
  refused: number
  harmless: number
  lost: number
}

/** Flips single bits of the log that a kill left. */
export async function flipLogs({ flips, random, onFlip }: Flips): Promise<LogFlips> {
  const home = mkdtempSync(join(tmpdir(), 'petstore-flips-'))
  const done: LogFlips = { flips: 0, refused: 0, harmless: 0, lost: 0 }
  try {
    const sound = await crashStore(join(home, 'sound'), { pets })
    const path = join(home, 'flipped', 'petstore.db')
    copyStore(sound, path)
    const size = statSync(`${path}-wal`).size
    while (done.flips < flips) {
      const bit = Math.floor(random.between(0, 8 * size))
      flipBit(`${path}-wal`, bit)
      if (findLossAt(path) === undefined) {
        if (petsIn(path) === pets) done.harmless += 1
        else done.lost += 1
        copyStore(sound, path)
      } else {
        done.refused += 1
        flipBit(`${path}-wal`, bit)
      }
      done.flips += 1
      onFlip(done.flips)
    }
    return done
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What became of flipped bits of a database: by what they were noticed, or where they were not. */
type DatabaseFlips = {
  flips: number
  found: number
  refused: number
  harmless: number
  /** By table and columns: rows differ, and nothing said so. */
  silent: Record<string, number>
}

/** Flips single bits of the file of a store that was stopped. */
export async function flipDatabases({ flips, random, onFlip }: Flips): Promise<DatabaseFlips> {
  const home = mkdtempSync(join(tmpdir(), 'petstore-flips-'))
  const done: DatabaseFlips = { flips: 0, found: 0, refused: 0, harmless: 0, silent: {} }
  try {
    const path = join(home, 'petstore.db')
    await makeStore(path)
    const flipped = join(home, 'flipped.db')
    copyFileSync(path, flipped)
    const expected = readTables(path)
    const size = statSync(path).size
    while (done.flips < flips) {
      const bit = Math.floor(random.between(0, 8 * size))
      flipBit(flipped, bit)
      await note(flipped, expected, done)
      flipBit(flipped, bit)
      done.flips += 1
      onFlip(done.flips)
    }
    return done
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function note(path: string, expected: Tables, done: DatabaseFlips) {
  const outcome = await outcomeOf(path, expected)
  if (typeof outcome === 'string') done[outcome] += 1
  else done.silent[outcome.rows] = (done.silent[outcome.rows] ?? 0) + 1
}

async function outcomeOf(path: string, expected: Tables) {
  try {
    const results = await verifyFile(storage, path, () => undefined)
    if (results.some(({ findings }) => findings.length > 0)) return 'found'
    const rows = differenceOf(expected, readTables(path))
    return rows === undefined ? 'harmless' : { rows }
  } catch (error) {
    // A damaged schema may lack a table or a column.
    const isOfDatabase = error instanceof Error && 'errcode' in error
    if (isOfDatabase || error instanceof OpenError) return 'refused'
    return { rows: `verify fails: ${error}` }
  }
}

type Tables = Map<string, { columns: string[]; rows: string[][] }>

function readTables(path: string): Tables {
  const connection = connect(path, 'immutable')
  try {
    return new Map(
      tablesAt(storage).map(({ name, columns, generated, key }) => {
        const names = [...columns.map((column) => column.name), ...generated]
        const rows = connection.all(
          `select ${names.join(', ')} from ${name} order by ${key.join(', ')}`,
        )
        return [name, { columns: names, rows: rows.map((row) => row.map(String)) }]
      }),
    )
  } finally {
    connection.close()
  }
}

/** `TABLE (COLUMNS)` of the first row that differs. */
function differenceOf(expected: Tables, found: Tables): string | undefined {
  for (const [table, { columns, rows }] of expected) {
    const others = found.get(table)?.rows ?? []
    if (others.length !== rows.length) return `${table} (rows)`
    for (const [index, row] of rows.entries()) {
      const different = columns.filter((_, column) => row[column] !== others[index]?.[column])
      if (different.length > 0) return `${table} (${different.join(', ')})`
    }
  }
  return undefined
}

function petsIn(path: string): number {
  const connection = connect(path)
  try {
    return Number(connection.all<[bigint]>('select count(*) from pets')[0]?.[0])
  } finally {
    connection.close()
  }
}

export function flipBit(file: string, bit: number): void {
  const descriptor = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, bit >> 3)
  byte[0] = (byte[0] as number) ^ (1 << (bit & 7))
  writeSync(descriptor, byte, 0, 1, bit >> 3)
  closeSync(descriptor)
}
