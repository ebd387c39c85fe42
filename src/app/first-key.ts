import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { syncDirectory } from '../db/sqlite/sync-directory.ts'
import { ExitError } from '../exit.ts'
import { createFirstKey } from '../features/keys/create-key.ts'
import { digestOf } from '../features/keys/key-format.ts'
import { listKeys } from '../features/keys/list-keys.ts'

/** The first key of a new store, and the file that holds it unless it is only in this process's hands. */
export type FirstKey = { key: string; file: string | undefined }

/**
 * Gives a store without any key its first one: to whoever reads standard output when that is a
 * terminal or data, else to a file of mode 0600, since no key ever stands in a log. `undefined` when there are keys.
 */
export async function provideFirstKey(
  context: Context,
  config: Config,
  { isEphemeral, isData }: { isEphemeral: boolean; isData: boolean },
): Promise<FirstKey | undefined> {
  const isShown = isEphemeral || isData || process.stdout.isTTY
  const file = config.firstKeyFile ?? (isShown ? undefined : firstKeyFileOf(config))
  const keys = await listKeys(context)
  if (keys.length > 0) {
    if (file !== undefined) placeWhatCounts(file, keys)
    return undefined
  }
  // A draft of its own: other processes may be starting on the same database, and one key alone is the first.
  const draft = `${file}.${Buffer.from(context.random(6)).toString('hex')}${draftEnding}`
  const key = await createFirstKey(
    context,
    config.environment,
    (minted) => file && writeSecret(draft, minted, file),
  )
  if (file !== undefined && key !== undefined) place(draft, file)
  if (file !== undefined && key === undefined) rmSync(draft, { force: true })
  return key === undefined ? undefined : { key, file }
}

const draftEnding = '.new'

/** Where the first key goes when it goes to a file. */
export function firstKeyFileOf({ firstKeyFile, database, environment }: Config): string {
  if (firstKeyFile !== undefined) return firstKeyFile
  const name =
    database.engine === 'sqlite' ? database.path.replace(/\.db$/, '') : `petstore-${environment}`
  return `${name}.first-key`
}

/** Writes the draft whole or not at all, and durably, before the key counts. */
function writeSecret(draft: string, secret: string, file: string): void {
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    writeSync(descriptor, `${secret}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    syncDirectory(dirname(file))
  } catch (error) {
    rmSync(draft, { force: true })
    throw explainWriting(file, error as NodeJS.ErrnoException)
  }
}

/** A start that was killed when its key had just begun to count has left it in a draft. */
function placeWhatCounts(file: string, keys: Awaited<ReturnType<typeof listKeys>>): void {
  for (const draft of draftsOf(file)) {
    const minted = digestOf(secretIn(draft))
    if (keys.some(({ digest }) => minted.equals(digest))) place(draft, file)
  }
}

function draftsOf(file: string): string[] {
  const directory = dirname(file)
  try {
    return readdirSync(directory)
      .filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(draftEnding))
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

function secretIn(draft: string): string {
  try {
    return readFileSync(draft, 'utf8').trim()
  } catch {
    return ''
  }
}

function place(draft: string, file: string): void {
  try {
    renameSync(draft, file)
    syncDirectory(dirname(file))
  } catch (error) {
    // Another start has placed it already.
    const isPlaced = (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(file)
    if (!isPlaced) throw explainWriting(file, error as NodeJS.ErrnoException)
  }
}

function explainWriting(file: string, error: NodeJS.ErrnoException): ExitError {
  const sentence = `The first key cannot be written to ${file}`
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new ExitError('missingDirectory', `${sentence}: its directory does not exist.`, error)
    case 'EIO':
    case 'ENOSPC':
    case 'EFBIG':
    case 'EDQUOT':
      return new ExitError('ioError', `${sentence}: ${error.message}`, error)
    default:
      return new ExitError('noPermission', `${sentence}: ${error.message}`, error)
  }
}
