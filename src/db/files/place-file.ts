import { existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { OpenError } from '../errors.ts'
import { syncDirectory, syncFile } from './sync.ts'

/** The files that SQLite makes beside a database. */
export const sideEndings = ['-wal', '-shm', '-journal']

/** Deletes a database and what SQLite has left beside it, also while they are written. */
export function deleteDatabase(file: string): void {
  for (const ending of ['', ...sideEndings]) rmSync(file + ending, { force: true })
}

/** Creates or empties a file for its owner alone, and deletes what SQLite has left beside it. Returns a descriptor. */
export function openEmpty(file: string): number {
  const descriptor = openSync(file, 'w', 0o600)
  for (const ending of sideEndings) rmSync(file + ending, { force: true })
  return descriptor
}

/** Renames a complete file. Syncs the file before, and its directory after. Throws `ioError` where it is not complete. */
export function placeFile(file: string, name: string): void {
  syncComplete(file)
  renameSync(file, name)
  syncDirectory(dirname(name))
}

/** Syncs a file. Throws `ioError` where it is not complete. */
export function syncComplete(file: string): void {
  // SQLite keeps the log, and reports nothing, where it cannot copy it into the file when it closes it.
  if (existsSync(`${file}-wal`)) {
    throw new OpenError(
      'ioError',
      `${file} is not complete: its log could not be copied into it, the disk fails or is full. Nothing was replaced.`,
    )
  }
  syncFile(file)
}
