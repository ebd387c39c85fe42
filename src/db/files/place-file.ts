import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncDirectory } from './sync-directory.ts'

/** The files that SQLite makes beside a database. */
export const sideEndings = ['-wal', '-shm', '-journal']

/** Creates or empties a file for its owner alone, and deletes what SQLite has left beside it. Returns a descriptor. */
export function openEmpty(file: string): number {
  const descriptor = openSync(file, 'w', 0o600)
  for (const ending of sideEndings) rmSync(file + ending, { force: true })
  return descriptor
}

/** Renames a complete file. Syncs the file before, and its directory after. */
export function placeFile(file: string, name: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(file, name)
  syncDirectory(dirname(name))
}
