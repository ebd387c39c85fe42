import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'

/** A mount namespace of its own: it needs no root, and nothing is left to clean up. */
export const inNamespace = ['unshare', '-rm', 'sh', '-c'] as const

/** Why tests on a small disk are skipped; `false` where they are not. */
export function withoutMounts(): string | false {
  const [command, ...args] = inNamespace
  const { status } = spawnSync(command, [...args, 'mount -t tmpfs -o size=1m none /tmp'])
  return status === 0 ? false : 'needs unshare with user namespaces'
}

/** What to put in front of a command that has a disk of its own, of this many MiB, at a folder. */
export function smallDisk(folder: string, sizeMiB: number): string[] {
  return [...inNamespace, `mount -t tmpfs -o size=${sizeMiB}m none '${folder}' && exec "$0" "$@"`]
}

/** Fills a disk with a file: to its last byte, or but for so many. */
export function fillDisk(path: string, bytes = Number.POSITIVE_INFINITY): void {
  const file = openSync(path, 'w')
  try {
    let left = bytes
    for (let size = 65_536; size >= 512; size /= 2) left = writeUntilFull(file, size, left)
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, size: number, bytes: number): number {
  const chunk = Buffer.alloc(size)
  let left = bytes
  try {
    while (left >= size && writeSync(file, chunk) === size) left -= size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return left
}
