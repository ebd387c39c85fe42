import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LaunchError } from './launch-error.js'
import { announceWork } from './progress.js'

const pollMs = 100
const waitMaxMs = 600_000
const unwrittenMaxMs = 5_000
const clearingMaxMs = 5_000

/**
 * Runs `work` while no other process holds the lock file at `path`, which lists the processes that hold it; once all
 * of them are gone it is void. `work` may add a process by calling its argument with a pid. Throws after ten minutes.
 */
export async function withLock(path, work) {
  await acquire(path)
  try {
    return await work((pid) => appendFileSync(path, `${identityOf(pid)}\n`))
  } finally {
    remove(path)
  }
}

async function acquire(path) {
  const waitEndMs = Date.now() + waitMaxMs
  let wait
  while (!create(path)) {
    if (isVoid(path)) clear(path)
    else wait ??= announceWork('Waiting for another start to install packages …')
    if (Date.now() > waitEndMs) {
      throw new LaunchError('notInstalled', `Another install has held ${path} for too long.`)
    }
    await sleep(pollMs)
  }
  wait?.end()
}

function create(path) {
  try {
    writeFileSync(path, `${identityOf(process.pid)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new LaunchError('notInstalled', `Packages are missing, and ${path} cannot be written.`)
  }
}

/** One process at a time removes a stale lock, and checks it again first: otherwise it could remove a new lock. */
function clear(path) {
  const guard = `${path}.clearing`
  try {
    mkdirSync(guard)
  } catch {
    if (ageMs(guard) > clearingMaxMs) remove(guard)
    return
  }
  try {
    if (isVoid(path)) remove(path)
  } finally {
    remove(guard)
  }
}

function remove(path) {
  rmSync(path, { force: true, recursive: true })
}

function isVoid(path) {
  const holders = linesOf(path)
  if (holders.length === 0) return ageMs(path) > unwrittenMaxMs
  return !holders.some(isAlive)
}

function linesOf(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function ageMs(path) {
  const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return modifiedMs === undefined ? 0 : Date.now() - modifiedMs
}

function isAlive(identity) {
  const pid = Number.parseInt(identity, 10)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  return identity === identityOf(pid)
}

/** The start time of a process on Linux, which distinguishes processes with the same pid. */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? `${pid} ended` : `${pid} ${fields[18]}`
  } catch {
    return `${pid}`
  }
}
