import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Syncs a directory, which makes new names in it durable. Where directories cannot be opened, as on Windows, that is
 * not needed.
 */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
