import { fsyncSync, statSync, writeSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { performance } from '../../timers.ts'
import type { Checks } from './finding.ts'

type DiskFacts = {
  folder: string
  /** Linux's number of the file system (statfs(2)). */
  fileSystem: number
  freeBytes: number
  storeBytes: number
  /** The median of syncs of a few bytes, or why it could not be measured. */
  sync: { medianMs: number } | { problem: string }
}

const inMemory =
  'in memory: all data is gone when the machine stops. Set PETSTORE_DATABASE to a path on a disk.'
const onNetwork =
  'on a file system of the network, where SQLite’s locks and its log are not reliable. Use a local disk, or PostgreSQL.'
const inContainer =
  'in the layer of a container: all data is gone with the container. Mount a volume there.'
const unsafeSystems: Readonly<Record<number, string>> = {
  16914836: inMemory, // tmpfs
  2240043254: inMemory, // ramfs
  26985: onNetwork, // nfs
  4283649346: onNetwork, // cifs
  4266872130: onNetwork, // smb2
  16914839: onNetwork, // 9p
  2035054128: inContainer, // overlay
}
/** An appended block, its length and a flush of the drive take longer on every disk that was measured. */
const believableMinMs = 0.03
/** Each create waits for a sync. */
const slowMinMs = 50
const freeMinBytes = 64e6

/** The disk that the database is on. */
export const diskChecks: Checks<DiskFacts> = {
  fileSystem({ folder, fileSystem }) {
    const danger = unsafeSystems[fileSystem]
    return danger === undefined
      ? { ok: `The database is in ${folder}.` }
      : { warning: `${folder} is ${danger}` }
  },

  sync({ folder, fileSystem, sync }) {
    if (unsafeSystems[fileSystem] === inMemory) return false
    if ('problem' in sync) {
      return {
        warning: `Syncs could not be measured in ${folder}: ${sync.problem}. Run petstore doctor as the user of the service.`,
      }
    }
    const measured = `A sync takes ${sync.medianMs.toFixed(2)} ms`
    if (sync.medianMs < believableMinMs) {
      return {
        error: `${measured}, less than any disk needs: syncs do not reach a disk here, and a power cut loses acknowledged data. Turn on syncs of the virtual disk or the controller (no cache=unsafe, no eatmydata), or use another disk.`,
      }
    }
    return sync.medianMs > slowMinMs
      ? { warning: `${measured}, and each create waits for one. Use a faster or less busy disk.` }
      : { ok: `${measured}, as on a disk that does sync.` }
  },

  freeSpace({ folder, freeBytes, storeBytes }) {
    const found = `${megabytes(freeBytes)} are free in ${folder}; the store has ${megabytes(storeBytes)}`
    if (freeBytes < freeMinBytes)
      return { error: `${found}: writes soon get 503. Make room, or use a larger disk.` }
    return freeBytes < storeBytes
      ? { warning: `${found}: a backup beside it does not fit. Write backups to another disk.` }
      : { ok: `${found}.` }
  },
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`
}

const syncs = 21

/** Measures the disk that has the store at `path`. Writes one file beside it, and deletes it. */
export async function measureDisk(path: string): Promise<DiskFacts> {
  const folder = dirname(path)
  const { type, bavail, bsize } = await statfs(folder)
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    folder,
    fileSystem: type >>> 0,
    freeBytes: bavail * bsize,
    storeBytes: sizeOf(path) + sizeOf(`${path}-wal`),
    sync: await measureSyncs(folder).catch(({ message }: Error) => ({ problem: message })),
  }
}

/** How long syncs take that follow an appended block. */
async function measureSyncs(folder: string): Promise<{ medianMs: number }> {
  const path = join(folder, `.petstore-doctor-${process.pid}`)
  const file = await open(path, 'w', 0o600)
  try {
    const timesMs: number[] = []
    while (timesMs.length < syncs) {
      writeSync(file.fd, Buffer.alloc(4096, 'petstore'))
      const startMs = performance.now()
      // In the thread pool, switching threads would take as long as a sync.
      fsyncSync(file.fd)
      timesMs.push(performance.now() - startMs)
    }
    timesMs.sort((one, other) => one - other)
    return { medianMs: timesMs[syncs >> 1] ?? 0 }
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
