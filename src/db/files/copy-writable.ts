import { chmodSync, copyFileSync } from 'node:fs'

/** Copies a file, which may be read-only, to one that its owner alone may read and write. */
export function copyWritable(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
