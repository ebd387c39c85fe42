import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ExitError, usageError } from '../../config/exit-error.ts'
import type { Environment } from '../../config/settings.ts'
import { kindOf } from '../../db/doors/closed-file.ts'
import { deleteUnfinished, unfinishedFor } from './unfinished.ts'

/** Where a backup goes: it has another name beside its own until it is complete. */
export type BackupTarget = {
  file: string
  unfinished: string
  folder: string
  /** Whether the folder was given, and the file is named for the environment and the time. */
  isDated: boolean
}

type Request = {
  /** A file, or an existing folder, which gets a file named for the environment and the time. */
  given: string
  environment: Environment
  nowMs: number
  replaces: boolean
  /** The path of the database, where it is a file. */
  databasePath?: string | undefined
}

/** Decides where a backup goes. Throws `usage`, `missingDirectory`. Changes nothing. */
export function chooseTarget({
  given,
  environment,
  nowMs,
  replaces,
  databasePath,
}: Request): BackupTarget {
  const isDated =
    given.endsWith(sep) || (statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false)
  const folder = isDated ? resolve(given) : dirname(resolve(given))
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ExitError(
      'missingDirectory',
      `The folder ${folder} does not exist. Create it, or name another.`,
    )
  }
  const file = isDated ? join(folder, datedName(environment, nowMs)) : resolve(given)
  if (databasePath !== undefined && file.startsWith(`${resolve(databasePath)}-`)) {
    throw usageError(
      `${file} is the name of a file that SQLite keeps beside the database. Choose another name.`,
    )
  }
  requireFree(file, replaces)
  return { file, unfinished: unfinishedFor(file), folder, isDated }
}

/** Throws `usage` where a file exists: only a backup is ever replaced. */
export function requireFree(file: string, replaces: boolean) {
  if (!existsSync(file)) return
  if (!isBackup(file)) {
    throw usageError(`${file} exists and is not a backup. Choose another name.`)
  }
  if (replaces) return
  throw usageError(
    `${file} exists. Choose another name, or a folder, which gets a file with the time in its name; --replace replaces this one.`,
  )
}

/** Whether the header of a file is that of a backup; false if it cannot be read. */
export function isBackup(file: string): boolean {
  try {
    return kindOf(file) === 'backup'
  } catch {
    return false
  }
}

/** `production-2026-12-05T03-00-00Z.backup`: names in the order of time, which every file system takes. */
function datedName(environment: Environment, nowMs: number): string {
  const time = new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  return `${environment}-${time}.backup`
}

/** The time in a name that `datedName` gives; `undefined` for other names. */
function timeIn(name: string, environment: Environment): number | undefined {
  const [, owner, date, hour, minute, second] =
    /^(\w+)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/.exec(name) ?? []
  const timeMs = Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  return owner !== environment || Number.isNaN(timeMs) ? undefined : timeMs
}

/** The backups with the time in their name, of one environment in a folder, the oldest first. */
export function listDated(
  folder: string,
  environment: Environment,
): { file: string; timeMs: number }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [file, timeMs] = [join(folder, name), timeIn(name, environment)]
      return timeMs !== undefined && isBackup(file) ? [{ file, timeMs }] : []
    })
    .sort((one, other) => one.timeMs - other.timeMs)
}

/** Deletes what interrupted runs have left of the same file, or of others with the time in their name. */
export function deleteLeft({ file, isDated }: BackupTarget, environment: Environment): void {
  deleteUnfinished(file, (name) =>
    isDated ? timeIn(name, environment) !== undefined : name === basename(file),
  )
}
