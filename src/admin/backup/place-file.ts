import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncDirectory } from '../../db/sqlite/sync-directory.ts'

/** Gives a complete file its name: durable before it has the name, and the name durable before this returns. */
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
