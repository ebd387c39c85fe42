import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { ExitError } from './exit.ts'
import { createFirstKey } from './keys/create-key.ts'
import { listKeys } from './keys/list-keys.ts'

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
  if ((await listKeys(context)).length > 0) return undefined
  const isShown = isEphemeral || isData || process.stdout.isTTY
  const file = config.firstKeyFile ?? (isShown ? undefined : firstKeyFileOf(config))
  const key = await createFirstKey(
    context,
    config.environment,
    (minted) => file && writeSecret(file, minted),
  )
  return key === undefined ? undefined : { key, file }
}

/** Where the first key goes when it goes to a file. */
export function firstKeyFileOf({ firstKeyFile, database, environment }: Config): string {
  if (firstKeyFile !== undefined) return firstKeyFile
  const name =
    database.engine === 'sqlite' ? database.path.replace(/\.db$/, '') : `petstore-${environment}`
  return `${name}.first-key`
}

/** Writes the file whole or not at all, and durably, before the key counts. */
function writeSecret(file: string, secret: string): void {
  const draft = `${file}.new`
  try {
    rmSync(draft, { force: true })
    const descriptor = openSync(draft, 'wx', 0o600)
    writeSync(descriptor, `${secret}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(draft, file)
    syncDirectory(dirname(file))
  } catch (error) {
    throw explainWriting(file, error as NodeJS.ErrnoException)
  }
}

/** A rename is durable once its directory is. Where directories cannot be opened, as on Windows, it is so by itself. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
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
