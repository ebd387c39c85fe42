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

/**
 * How long to wait for another process: one that checks the files, which takes about a second for a log of a gigabyte; one that
 * has the database open by another name, such as in another container; or a service whose lock file was removed, which exits
 * within two seconds.
 */
const waitMaxMs = 5_000
const pauseMs = 20
/** Failed attempts, while no process has the database alone, before another process is taken to be serving. */
const attemptsMax = 5

/**
 * Enters a database file, and checks it where no other process has entered it: the first that opens the files after an
 * unclean exit checks them before SQLite recovers the log. The lock is on a side database; the operating system releases it
 * with the process, however it ends. Throws OpenError; an error where Node's SQLite is too old.
 */
export function enterDatabase(path: string, purpose: Purpose): Lock {
  checkLibrary()
  using opened = new DisposableStack()
  try {
    const lockPath = `${path}.lock`
    const isNew = !isRegular(lockPath)
    const side = opened.use(new DatabaseSync(lockPath, { timeout: 0 }))
    // A command that root runs must not lock out the service.
    if (isNew && existsSync(path)) giveToOwnerOf(path, lockPath)
    const doubt = enter(side, path, purpose)
    const lock = opened.move()
    return { isNew, doubt, [Symbol.dispose]: () => lock.dispose() }
  } catch (error) {
    throw explainOpening(path, error)
  }
}

/** Waits, unless the database is to be replaced. Returns the doubt, where this process has checked the files. */
function enter(side: DatabaseSync, path: string, purpose: Purpose): string | undefined {
  const deadline = performance.now() + waitMaxMs
  let attempts = 0
  let doubt: string | undefined
  const check = () => {
    // Since the last check, a process may have begun to replace the store, and been killed.
    const fault = findReplacement(path) ?? findLossAt(path)
    if (fault) throw fault
    doubt = findDoubtAt(path)
  }
  while (!enterNow(side, purpose, check)) {
    const isUsed = purpose === 'replace' || (purpose !== 'use' && isReadable(side))
    attempts = isUsed ? attempts + 1 : 0
    if (attempts > attemptsMax || performance.now() > deadline) throw inUse(path, purpose)
    pause()
  }
  return doubt
}

/** Alone, the process holds the exclusive lock while it checks the files; then it enters: several may use, one may serve. */
function enterNow(side: DatabaseSync, purpose: Purpose, check: () => void): boolean {
  // Without it, a lock would write a journal. It has to read the file, which another process may have alone.
  if (!take(side, 'pragma journal_mode = memory')) return false
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

/** Whether no process has the database alone, as for a check; one that serves lets others read. */
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
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}

function inUse(path: string, purpose: Purpose): OpenError {
  const isAdvised = purpose === 'hold' || purpose === 'replace'
  const advice = isAdvised ? ' Stop it, and run this command again.' : ''
  return new OpenError('alreadyServed', `${path} is in use by another process.${advice}`)
}

/**
 * Throws SQLite's busy error when another process keeps this file open, although the lock file is new. SQLite names the
 * write-ahead log after the file, so processes that use different names would write two logs, which overwrite each other in
 * the file. Every process that has read the database holds a shared lock on it: an exclusive lock proves that there is none.
 */
export function refuseOpenElsewhere(path: string, { isNew }: Lock): void {
  if (!isNew || !existsSync(path)) return
  using alone = new DatabaseSync(path, { timeout: waitMaxMs })
  alone.exec('pragma locking_mode = exclusive; select count(*) from sqlite_schema')
}
