import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { performance } from '../../../timers.ts'
import { OpenError } from '../../errors.ts'
import { giveToOwnerOf } from '../../files/give-to-owner.ts'
import { isRegular } from '../../files/open-regular.ts'
import { checkLibrary } from '../check-library.ts'
import { explainOpening } from '../explain-opening.ts'
import { failureOf } from '../failures.ts'
import { findDoubtAt, findLossAt } from '../loss/read-file-state.ts'
import { findReplacement } from './replace-store.ts'

type Lock = Disposable & {
  /** Its file was missing: the database is new or a copy, or the file was removed while another process serves. */
  isNew: boolean
  /** A sentence about what the files may lack, where this process has checked them. */
  doubt: string | undefined
}

/**
 * `serve`: no other process serves; `hold`: the same, for a command; `use`: another process may serve, and others may use;
 * `replace`: no other process has the database, whose files are not checked for a loss.
 */
export type Purpose = 'serve' | 'hold' | 'use' | 'replace'

/** How long to wait for another process that reads the files; a log of a gigabyte takes about a second. */
const checkWaitMaxMs = 30_000
const checkPauseMs = 20
/** Failed attempts, while no process checks the files, before another process is taken to be serving. */
const attemptsMax = 5

/**
 * Enters a database file, and checks it where no other process has entered it: the first that opens the files after an
 * unclean exit checks them before SQLite recovers the log. The lock is on a side database; the operating system releases it
 * with the process, however it ends. Throws `alreadyServed`, `damaged`; an error where Node's SQLite is too old.
 */
export function enterDatabase(path: string, purpose: Purpose): Lock {
  checkLibrary()
  using opened = new DisposableStack()
  const { isNew, side } = openSide(path)
  opened.use(side)
  const deadline = performance.now() + checkWaitMaxMs
  let attempts = 0
  let doubt: string | undefined
  const check = () => {
    // Since the last check, a process may have begun to replace the store, and been killed.
    const fault = findReplacement(path) ?? findLossAt(path)
    if (fault) throw fault
    doubt = findDoubtAt(path)
  }
  while (!enterNow(side, purpose, check)) {
    attempts = purpose !== 'use' && isReadable(side) ? attempts + 1 : 0
    if (attempts > attemptsMax || performance.now() > deadline) throw served(path, purpose)
    pause()
  }
  const lock = opened.move()
  return { isNew, doubt, [Symbol.dispose]: () => lock.dispose() }
}

function openSide(path: string): { isNew: boolean; side: DatabaseSync } {
  const lockPath = `${path}.lock`
  const isNew = !isRegular(lockPath)
  const side = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    side.exec('pragma journal_mode = memory')
    // A command that root runs must not lock out the service.
    if (isNew && existsSync(path)) giveToOwnerOf(path, lockPath)
    return { isNew, side }
  } catch (error) {
    side.close()
    throw explainOpening(path, error)
  }
}

/** Alone, the process holds the exclusive lock while it checks the files; then it enters: several may use, one may serve. */
function enterNow(side: DatabaseSync, purpose: Purpose, check: () => void): boolean {
  if (purpose === 'replace') return take(side, 'begin exclusive')
  if (take(side, 'begin exclusive')) {
    check()
    side.exec('rollback')
  }
  return take(
    side,
    purpose === 'use' ? 'begin; select count(*) from sqlite_schema' : 'begin immediate',
  )
}

/** Whether no process checks the files; one that serves lets others read. */
function isReadable(side: DatabaseSync): boolean {
  return take(side, 'begin; select count(*) from sqlite_schema; rollback')
}

function take(side: DatabaseSync, sql: string): boolean {
  try {
    side.exec(sql)
    return true
  } catch (error) {
    if (side.isTransaction) side.exec('rollback')
    if (failureOf(error) !== 'busy') throw error
    return false
  }
}

/** Blocks this thread, which has nothing else to do before the database is open. */
function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, checkPauseMs)
}

function served(path: string, purpose: Purpose): OpenError {
  const isAdvised = purpose === 'hold' || purpose === 'replace'
  const advice = isAdvised ? ' Stop it, and run this command again.' : ''
  return new OpenError('alreadyServed', `${path} is being served by another process.${advice}`)
}

/**
 * How long a start waits for another process to close the database: one that has it open by another name, such as in another
 * container, or a service whose lock file was removed, which exits within two seconds.
 */
const otherMaxMs = 5_000

/**
 * Throws SQLite's busy error when another process keeps this file open, although the lock file is new. SQLite names the
 * write-ahead log after the file, so processes that use different names would write two logs, which overwrite each other in
 * the file. Every process that has read the database holds a shared lock on it: an exclusive lock proves that there is none.
 */
export function refuseOpenElsewhere(path: string, { isNew }: Lock): void {
  if (!isNew || !existsSync(path)) return
  using alone = new DatabaseSync(path, { timeout: otherMaxMs })
  alone.exec('pragma locking_mode = exclusive; select count(*) from sqlite_schema')
}
