import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A new name is durable once its directory is. Where directories cannot be opened, as on Windows, it is so by itself. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
