import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { damagedError, type OpenError } from '../../errors.ts'
import { writingError } from '../../files/explain-writing.ts'
import { placeFile } from '../../files/place-file.ts'
import { syncDirectory } from '../../files/sync.ts'

/** The files of a database, itself first. The index of its log is omitted: SQLite makes it again. */
const endings = ['', '-wal', '-journal', '.witness']

/** The word in the name of a store that is kept, and the command that keeps it. */
const commands = { replaced: 'restore', damaged: 'recover' } as const

type Reason = keyof typeof commands

/**
 * The ending of a new store while the old one is renamed: `pets.db.replaced-2026-12-05T03-00-00Z.new` takes the place of what
 * is kept as `pets.db.replaced-2026-12-05T03-00-00Z`. While there is such a file, neither store is whole at its place.
 */
const newEnding = '.new'

const timeAndEnding = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-2)*)(\.new)?$/

/** Where a store is written until it is complete. A start creates no empty store beside it. */
export function unfinishedStore(path: string): string {
  return `${path}.unfinished`
}

/** The existing files of a database. */
export function filesOf(path: string): string[] {
  return endings.map((ending) => path + ending).filter((file) => existsSync(file))
}

/**
 * Puts a complete store in a place. A store that is there is kept under a dated name, with its log and its witness;
 * returns that name. The caller holds the place alone. A failure leaves the old store, or the new one, and says which.
 * What a killed process leaves, `findReplacement` finds, and `undoReplacement` undoes. Throws OpenError.
 */
export function replaceStore(
  path: string,
  complete: string,
  { reason, nowMs }: { reason: Reason; nowMs: number },
): string | undefined {
  if (filesOf(path).length === 0) {
    placeFile(complete, path)
    return undefined
  }
  const time = new Date(nowMs).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  const aside = freeName(`${path}.${reason}-${time}`)
  let standing = 'The old store is in its place, unchanged.'
  try {
    placeFile(complete, aside + newEnding)
    for (const ending of endings) {
      if (existsSync(path + ending)) renameSync(path + ending, aside + ending)
    }
    rmSync(`${path}-shm`, { force: true })
    syncDirectory(dirname(path))
    renameSync(aside + newEnding, path)
    standing = `The new store is in its place; the old one is kept as ${filesOf(aside)[0]}.`
    syncDirectory(dirname(path))
  } catch (error) {
    putBack(path, error)
    throw writingError(error, `${path} cannot be replaced`, ` ${standing}`)
  }
  return filesOf(aside)[0]
}

/** Undoes a replacement that failed. Throws what a start will say where that fails too. */
function putBack(path: string, cause: unknown) {
  try {
    undoReplacement(path)
  } catch {
    throw Object.assign(findReplacement(path) as OpenError, { cause })
  }
}

/** Two runs in one second must not overwrite each other's files. */
function freeName(aside: string): string {
  return filesOf(aside).length > 0 ? freeName(`${aside}-2`) : aside
}

/** The error if a process was killed while it replaced this store. */
export function findReplacement(path: string): OpenError | undefined {
  const [found] = listNew(path)
  if (found === undefined) return undefined
  const { aside, reason } = found
  return damagedError(
    `petstore ${commands[reason]} was interrupted while it renamed the files of ${path} to ${aside}. Run petstore ${commands[reason]} again: it first puts them back.`,
  )
}

/**
 * Puts a store back that an interrupted process was replacing, and deletes the new one; returns whether there was one. The
 * caller holds the place alone. If it is interrupted too, it is run again. Throws `damaged` where a file is in the way.
 */
export function undoReplacement(path: string): boolean {
  const replacements = listNew(path)
  for (const { aside } of replacements) {
    for (const ending of endings.filter((one) => existsSync(aside + one))) {
      if (existsSync(path + ending)) {
        throw damagedError(
          `${path + ending} is in the way of ${aside + ending}, which an interrupted command has renamed. Nothing was changed; move one of them away.`,
        )
      }
      renameSync(aside + ending, path + ending)
    }
    syncDirectory(dirname(path))
    rmSync(aside + newEnding)
    syncDirectory(dirname(path))
  }
  return replacements.length > 0
}

/** The databases that were kept aside, the latest first; no folder or pipe that has such a name. */
export function listAside(path: string): string[] {
  return listBeside(path)
    .filter(({ isNew, aside }) => !isNew && statSync(aside, { throwIfNoEntry: false })?.isFile())
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .map(({ aside }) => aside)
}

/** The stores that were to replace this one. */
function listNew(path: string) {
  return listBeside(path).filter(({ isNew }) => isNew)
}

/** The stores beside this one that were kept, and those that were to replace it. */
function listBeside(path: string) {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return (Object.keys(commands) as Reason[]).flatMap((reason) => {
    const start = `${basename(path)}.${reason}-`
    return names.flatMap((name) => {
      const rest = name.startsWith(start) ? name.slice(start.length) : ''
      const [, time, ending] = timeAndEnding.exec(rest) ?? []
      if (time === undefined) return []
      return [{ aside: join(folder, start + time), reason, time, isNew: ending !== undefined }]
    })
  })
}
