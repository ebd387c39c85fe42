import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { writingError } from '../db/files/explain-writing.ts'
import { syncDirectory } from '../db/files/sync.ts'
import { createFirstKey } from '../features/keys/create-key.ts'
import { digestOf } from '../features/keys/key-format.ts'
import { selectHasKeys, selectKeyByDigest } from '../features/keys/queries.ts'

/** The first key of a new store, and the file that holds it, if any. */
export type FirstKey = { key: string; file: string | undefined }

/**
 * Issues the first key of a store without keys. It is returned for standard output when that is a terminal or JSON,
 * else written to a file of mode 0600, since a key never appears in a log. Returns `undefined` when there are keys.
 */
export async function provideFirstKey(
  context: Context,
  config: Config,
  { isEphemeral, isData }: { isEphemeral: boolean; isData: boolean },
): Promise<FirstKey | undefined> {
  const isShown = isEphemeral || isData || process.stdout.isTTY
  const file = config.firstKeyFile ?? (isShown ? undefined : firstKeyFileOf(config))
  if (await context.db.read(selectHasKeys, undefined)) {
    if (file !== undefined) await publishIssuedDraft(file, context)
    return undefined
  }
  // Each process has its own draft: several may start on one database, and only one issues the first key.
  const draft = `${file}.${Buffer.from(context.random(6)).toString('hex')}${draftEnding}`
  const key = await createFirstKey(context, (minted) => {
    if (file === undefined) return
    if (config.firstKeyFile === undefined) createDataDirectory(file)
    writeSecret(draft, minted, file)
  })
  if (file !== undefined && key !== undefined) place(draft, file)
  if (file !== undefined && key === undefined) {
    rmSync(draft, { force: true })
    // Another start has issued the key meanwhile; its file may still be a draft.
    await publishIssuedDraft(file, context)
  }
  return key === undefined ? undefined : { key, file }
}

const draftEnding = '.new'

/** The directory of the first key's file for PostgreSQL; git ignores first keys. */
const dataDirectory = 'data'

/** The path of the first key's file: beside the database, unless a setting names another. */
export function firstKeyFileOf({ firstKeyFile, database, environment }: Config): string {
  if (firstKeyFile !== undefined) return firstKeyFile
  return database.engine === 'sqlite'
    ? `${database.path.replace(/\.db$/, '')}.first-key`
    : `${dataDirectory}/petstore-${environment}.first-key`
}

/** Creates `data` in the current folder, as a SQLite store does; no other directory is created. */
function createDataDirectory(file: string): void {
  if (dirname(file) !== dataDirectory || existsSync(dataDirectory)) return
  try {
    // A concurrent start may have created it.
    mkdirSync(dataDirectory, { mode: 0o700, recursive: true })
  } catch (error) {
    throw explainWriting(file, error)
  }
}

/** Writes the draft atomically and durably before the key becomes valid. */
function writeSecret(draft: string, secret: string, file: string): void {
  try {
    writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
    syncDirectory(dirname(file))
  } catch (error) {
    if (existsSync(draft)) rmSync(draft)
    throw explainWriting(file, error)
  }
}

/** A start that was killed just after its key became valid has left it in a draft. */
async function publishIssuedDraft(file: string, { db }: Context): Promise<void> {
  for (const draft of draftsOf(file)) {
    const { key } = await db.read(selectKeyByDigest, digestOf(secretIn(draft)))
    if (key) place(draft, file)
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
    // Another start has moved it into place.
    const isPlaced = (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(file)
    if (!isPlaced) throw explainWriting(file, error)
  }
}

function explainWriting(file: string, error: unknown): unknown {
  const subject = `The first key cannot be written to ${file}`
  return writingError(error, subject, ' Set PETSTORE_FIRST_KEY_FILE to another path.')
}
