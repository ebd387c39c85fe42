import { accessSync, constants, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { configurationError, damagedError, OpenError } from '../../errors.ts'
import { placeOf } from '../../files/place-of.ts'
import { syncDirectory } from '../../files/sync.ts'
import { noStore } from '../../schema/require-schema.ts'
import { readWitness, witnessPath } from '../loss/witness.ts'
import { findReplacement, unfinishedStore } from './replace-store.ts'

/** The only directory that is created: a configured path may be mistyped, or an unmounted volume. */
const defaultDirectory = 'data'

/**
 * Checks that a database can be at `path`, and creates the default directory. Returns the real path, so that two names
 * of a file share one lock. Changes no existing file. Throws OpenError, also where a database is missing and something of
 * it is left, or it must exist.
 */
export function prepareFile(path: string, { mustExist }: { mustExist: boolean }): string {
  const isLacking = mustExist && !existsSync(path)
  const place = isLacking ? placeOf(path) : preparePlace(path)
  requireUnobstructed(place)
  if (isLacking) throw noStore(resolve(path))
  return place
}

/** As `prepareFile`, for a command that replaces what is left of another database. */
export function preparePlace(path: string): string {
  const directory = dirname(resolve(path))
  if (!existsSync(directory)) makeDirectory(directory, path)
  if (!statSync(directory).isDirectory()) {
    throw new OpenError(
      'missingDirectory',
      `${directory} is not a directory, so ${path} cannot be in it.`,
    )
  }
  requireAccess(directory, `The directory ${directory}`)
  const exists = existsSync(path)
  const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  // Its lock would differ from that of the file to be created.
  if (!exists && isLink && !findReplacement(placeOf(path))) {
    throw new OpenError(
      'missingDirectory',
      `${path} is a symbolic link to a file that does not exist.`,
    )
  }
  if (exists) requireUsable(path)
  return placeOf(path)
}

/** Throws unless a path leads to a file of one name that this user may read and write. */
function requireUsable(path: string): void {
  const stat = statSync(path)
  if (!stat.isFile()) throw damagedError(`${path} is not a file.`)
  // A log belongs to a path, so each name of a file would have its own log and lock.
  if (stat.nlink > 1) {
    throw configurationError(
      `${path} is one of ${stat.nlink} names (hard links) of the same file: processes that use it by different names would overwrite each other's data. Delete the other names, or make copies of them.`,
    )
  }
  requireAccess(path, `The database ${path}`)
}

/** Throws `damaged` where leftovers of a database at a place forbid to open or create one there. */
export function requireUnobstructed(place: string): void {
  refuse(findReplacement(place)?.message ?? describeLeft(place) ?? describeUnfinished(place))
}

function refuse(sentence: string | undefined) {
  if (sentence !== undefined) throw damagedError(sentence)
}

function isMissing(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/**
 * Why a database that is missing or empty is not created: SQLite would delete the log that is left, with the commits that only
 * the log holds; and without the witness the ids of the lost store would be assigned again. `undefined` where nothing is left.
 */
function describeLeft(path: string): string | undefined {
  if (!isMissing(path)) return undefined
  const log = `${path}-wal`
  const isWitnessed = readWitness(path).length > 0
  const left = [...(existsSync(log) ? [log] : []), ...(isWitnessed ? [witnessPath(path)] : [])]
  if (left.length === 0) return undefined
  const what =
    left[0] === log
      ? `its log ${log} is there: the database was moved or deleted while it was served.`
      : `${left[0]} says that a store was there.`
  return `${path} is missing or empty, but ${what} Put it back, or restore a backup: petstore restore FILE --replace. To begin an empty store, move ${left.join(' and ')} away.`
}

/** Why a database is not created that a restore was writing. */
function describeUnfinished(path: string): string | undefined {
  const unfinished = unfinishedStore(path)
  if (!isMissing(path) || !existsSync(unfinished)) return undefined
  return `There is no store at ${path} yet: a restore to it has not ended. If it was interrupted, run it again: it begins anew, or completes what is left. To begin an empty store, delete ${unfinished}.`
}

const modes = { read: constants.R_OK, 'read and written': constants.R_OK | constants.W_OK }

function makeDirectory(directory: string, path: string) {
  if (directory !== resolve(defaultDirectory)) {
    throw new OpenError(
      'missingDirectory',
      `The directory ${directory} of the database ${path} does not exist. Create it, or set PETSTORE_DATABASE to another path.`,
    )
  }
  try {
    mkdirSync(directory, { mode: 0o700 })
    syncDirectory(dirname(directory))
  } catch (error) {
    if (existsSync(directory)) return
    throw new OpenError(
      'noPermission',
      `The directory ${directory} cannot be created: ${(error as Error).message}`,
      error,
    )
  }
}

/** Throws `noPermission` where a file or a folder cannot be read, or not be written either. */
export function requireAccess(
  path: string,
  subject: string,
  use: keyof typeof modes = 'read and written',
) {
  try {
    accessSync(path, modes[use])
  } catch (error) {
    throw new OpenError(
      'noPermission',
      `${subject} cannot be ${use} by this user: ${(error as Error).message}`,
      error,
    )
  }
}
