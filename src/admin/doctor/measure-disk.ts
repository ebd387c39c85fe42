import { fsyncSync, writeSync } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../../config/settings.ts'
import type { Random } from '../../context/context.ts'
import type { DiskFacts } from './disk.ts'

/** Linux's numbers of file systems (statfs(2)) that matter here, or that are common. */
const fileSystems: Readonly<Record<number, string>> = {
  16914836: 'tmpfs',
  2240043254: 'ramfs',
  26985: 'nfs',
  4283649346: 'smb',
  4266872130: 'smb',
  16914839: '9p',
  2035054128: 'overlay',
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  4076150800: 'f2fs',
}

const syncsMax = 21
const measuringMaxMs = 500

/** Measures the disk of a folder. Writes one file there, and deletes it. */
export async function measureDisk(
  { environment, folder, path }: { environment: Environment; folder: string; path: string },
  random: Random,
): Promise<DiskFacts> {
  const { type, bavail, bsize, files, ffree } = await statfs(folder)
  const sizes = await Promise.all(['', '-wal'].map((ending) => sizeOf(path + ending)))
  return {
    environment,
    folder,
    fileSystem: process.platform === 'linux' ? fileSystems[type >>> 0] : undefined,
    freeBytes: bavail * bsize,
    freeFiles: files > 0 ? ffree : undefined,
    storeBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    syncs: await measureSyncs(folder, random).catch(({ message }: Error) => ({ problem: message })),
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** How long syncs take that follow an appended block. */
async function measureSyncs(folder: string, random: Random): Promise<{ timesMs: number[] }> {
  const name = `.petstore-doctor-${Buffer.from(random(6)).toString('hex')}`
  const path = join(folder, name)
  const file = await open(path, 'wx', 0o600)
  try {
    const block = Buffer.alloc(4096, 'petstore')
    // A disk that hangs does so here, where it keeps nobody else waiting.
    await file.write(block)
    await file.sync()
    const timesMs: number[] = []
    const endMs = performance.now() + measuringMaxMs
    while (timesMs.length < syncsMax && (timesMs.length === 0 || performance.now() < endMs)) {
      writeSync(file.fd, block)
      const startMs = performance.now()
      // Another thread's sync would take as long as the change of threads.
      fsyncSync(file.fd)
      timesMs.push(performance.now() - startMs)
    }
    return { timesMs }
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
