import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { writingError } from '../db/files/explain-writing.ts'
import { syncDirectory } from '../db/files/sync.ts'
import { createFirstKey } from '../features/keys/create-key.ts'
import { selectHasKeys } from '../features/keys/queries.ts'

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
  if (await context.db.read(selectHasKeys, undefined)) return undefined
  // Each process has its own draft: several may start on one database, and only one issues the first key.
  const draft = `${file}.${Buffer.from(context.random(6)).toString('hex')}.new`
  const key = await createFirstKey(context, (minted) => {
    if (file !== undefined) writeSecret(draft, minted, file)
  })
  if (file !== undefined && key !== undefined) place(draft, file)
  // Another start has issued the key meanwhile.
  if (file !== undefined && key === undefined) rmSync(draft, { force: true })
  return key === undefined ? undefined : { key, file }
}

/** The directory of the first key's file for PostgreSQL; git ignores first keys. */
const dataDirectory = 'data'

/** The path of the first key's file: beside the database, unless a setting names another. */
export function firstKeyFileOf({ firstKeyFile, database, environment }: Config): string {
  if (firstKeyFile !== undefined) return firstKeyFile
  return database.engine === 'sqlite'
    ? `${database.path.replace(/\.db$/, '')}.first-key`
    : `${dataDirectory}/petstore-${environment}.first-key`
}

/** Writes the draft durably before the key becomes valid. Creates no directory but `data` in the current folder. */
function writeSecret(draft: string, secret: string, file: string): void {
  try {
    const isLacking = dirname(file) === dataDirectory && !existsSync(dataDirectory)
    if (isLacking) mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
    syncDirectory(dirname(file))
  } catch (error) {
    if (existsSync(draft)) rmSync(draft)
    throw explainWriting(file, error)
  }
}

function place(draft: string, file: string): void {
  try {
    renameSync(draft, file)
    syncDirectory(dirname(file))
  } catch (error) {
    throw explainWriting(file, error)
  }
}

function explainWriting(file: string, error: unknown): unknown {
  const subject = `The first key cannot be written to ${file}`
  return writingError(error, subject, ' Set PETSTORE_FIRST_KEY_FILE to another path.')
}
