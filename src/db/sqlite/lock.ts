import { existsSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OpenError } from '../errors.ts'
import { connect } from './connection.ts'
import { failureOf } from './failures.ts'
import { lockHolderOf } from './lock-holder.ts'

export type Lock = {
  /** Its file was missing: the database is new or a copy, or the file was removed while another process serves. */
  isNew: boolean
  release(): void
}

/**
 * Takes the exclusive lock to serve a database file, on a side database. The operating system releases it with the
 * process, however it ends. Throws `alreadyServed`.
 */
export function takeServingLock(path: string): Lock {
  const isNew = !existsSync(`${path}.lock`)
  const side = new DatabaseSync(`${path}.lock`, { timeout: 0 })
  try {
    side.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    side.close()
    if (failureOf(error) !== 'busy') throw error
    const holder = lockHolderOf(`${path}.lock`)
    const who = holder === undefined ? 'another process' : `process ${holder}`
    throw new OpenError('alreadyServed', `${path} is being served by ${who}.`)
  }
  return { isNew, release: () => side.close() }
}

/**
 * How long a start waits for another process to close the database: one that has it open by another name, such as a short
 * command, or a service whose lock file was removed, which exits within two seconds.
 */
const otherMaxMs = 5_000

/**
 * Throws SQLite's busy error when another process keeps this file open by another name. SQLite names the write-ahead log
 * after the file, so the two would write two logs, which overwrite each other in the file. Processes that use the same name
 * share its log, and SQLite's locks coordinate them; where the lock file is new, one of them may be serving.
 */
export function refuseOpenElsewhere(path: string, { isNew }: Lock): void {
  if (!existsSync(path)) return
  try {
    openAlone(path, 0)
  } catch (error) {
    if (failureOf(error) !== 'busy') throw error
    if (isNew || !isLogShared(path)) openAlone(path, otherMaxMs)
  }
}

/** Every process that has read the database holds a shared lock on the file, so an exclusive lock proves that there is none. */
function openAlone(path: string, timeout: number) {
  const alone = new DatabaseSync(path, { timeout })
  try {
    alone.exec('pragma locking_mode = exclusive; select count(*) from sqlite_schema')
  } finally {
    alone.close()
  }
}

/**
 * Whether a process has the log at this path open. An existing log is no proof: a killed process leaves one. SQLite
 * truncates the log's index only for the first process that opens it, so an appended byte survives if there is another.
 */
function isLogShared(path: string): boolean {
  const index = `${path}-shm`
  if (!existsSync(`${path}-wal`) || !existsSync(index)) return false
  // Stays open: closing any descriptor of a file drops this process's locks on it.
  const descriptor = openSync(index, 'r+')
  const extended = fstatSync(descriptor).size + 1
  ftruncateSync(descriptor, extended)
  const reader = connect(path, 'read')
  try {
    reader.all('select count(*) from sqlite_schema')
    return fstatSync(descriptor).size >= extended
  } finally {
    reader.close()
  }
}
