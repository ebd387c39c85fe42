import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncDirectory } from '../../db/sqlite/sync-directory.ts'

/** What belongs to a database file, itself first; without the index of its log, which SQLite makes again. */
const endings = ['', '-wal', '-journal', '.witness']

/** Why a database is kept under another name, which contains the word. */
const keptReasons = ['replaced', 'damaged'] as const

/** The existing files of a database. */
export function filesOf(path: string): string[] {
  return endings.map((ending) => path + ending).filter((file) => existsSync(file))
}

/** Gives a database, its log and its witness a dated name beside their own. Returns the database's new name. */
export function keepAside(
  path: string,
  nowMs: number,
  reason: (typeof keptReasons)[number] = 'replaced',
): string {
  const time = new Date(nowMs).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  const aside = freeName(`${path}.${reason}-${time}`)
  // The log goes first: SQLite would apply a log that is left to the next database at this path.
  for (const ending of endings.toReversed()) {
    if (existsSync(path + ending)) renameSync(path + ending, aside + ending)
  }
  rmSync(`${path}-shm`, { force: true })
  syncDirectory(dirname(path))
  return aside
}

/** Two runs in one second must not overwrite each other's files. */
function freeName(aside: string): string {
  const isTaken = endings.some((ending) => existsSync(aside + ending))
  return isTaken ? freeName(`${aside}-2`) : aside
}

/** The databases that were kept aside, the latest first. */
export function listAside(path: string): string[] {
  const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : []
  return names
    .flatMap((name) => {
      const time = keptReasons
        .map((reason) => `${basename(path)}.${reason}-`)
        .flatMap((start) => (name.startsWith(start) ? [name.slice(start.length)] : []))
        .find((end) => /Z(?:-2)*$/.test(end))
      return time === undefined ? [] : [{ name, time }]
    })
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .map(({ name }) => join(dirname(path), name))
}
