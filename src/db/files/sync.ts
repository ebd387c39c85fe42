import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Syncs a directory, which makes new names in it durable. Where directories cannot be opened, as on Windows, that is
 * not needed.
 */
export function syncDirectory(directory: string): void {
  if (process.platform !== 'win32') sync(directory, 'r')
}

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  sync(file, 'r+')
}

function sync(path: string, flags: string) {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
