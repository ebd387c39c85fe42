import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncDirectory } from '../../db/sqlite/sync-directory.ts'

/** What belongs to a database file, itself first; without the index of its log, which SQLite makes again. */
const endings = ['', '-wal', '-journal', '.witness']

/** The existing files of a database. */
export function filesOf(path: string): string[] {
  return endings.map((ending) => path + ending).filter((file) => existsSync(file))
}

/** Gives a database and its log a dated name beside their own. Returns the database's new name. */
export function keepAside(path: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  const aside = `${path}.replaced-${time}`
  // The log goes first: SQLite would apply a log that is left to the next database at this path.
  for (const ending of endings.toReversed()) {
    if (existsSync(path + ending)) renameSync(path + ending, aside + ending)
  }
  rmSync(`${path}-shm`, { force: true })
  syncDirectory(dirname(path))
  return aside
}

/** The databases that were kept aside, oldest first. */
export function listAside(path: string): string[] {
  const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : []
  return names
    .filter((name) => name.startsWith(`${basename(path)}.replaced-`) && name.endsWith('Z'))
    .sort()
    .map((name) => join(dirname(path), name))
}
