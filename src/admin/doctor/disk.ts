import { fsyncSync, statSync, writeSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../../config/settings.ts'
import type { Random } from '../../context/context.ts'
import { performance } from '../../timers.ts'
import type { Checks } from './finding.ts'
import { duration, size } from './quantities.ts'

export type DiskFacts = {
  environment: Environment
  folder: string
  /** Such as `ext4`; `undefined` where it is unknown. */
  fileSystem: string | undefined
  freeBytes: number
  /** `undefined` where the file system has no fixed number of them. */
  freeFiles: number | undefined
  /** The size of the database with its log. */
  storeBytes: number
  /** How long syncs of a few bytes took, in milliseconds, or why they could not be measured. */
  syncs: { timesMs: readonly number[] } | { problem: string }
}

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
}
const inMemorySystems = ['tmpfs', 'ramfs']
const networkSystems = ['nfs', 'smb', '9p']
/** An appended block, its length and a flush of the drive take longer on every disk that was measured. */
const believableMinMs = 0.03
/** Each create waits for a sync. */
const slowMinMs = 50
const freeMinBytes = 64e6

/** The disk that the database is on. */
export const diskChecks: Checks<DiskFacts> = {
  fileSystem({ environment, folder, fileSystem = '' }) {
    const where = `${folder} is on ${fileSystem}`
    if (inMemorySystems.includes(fileSystem)) {
      return {
        [environment === 'production' ? 'error' : 'warning']:
          `${where}, which is memory: all data is gone when the machine stops. Set PETSTORE_DATABASE to a path on a disk.`,
      }
    }
    if (networkSystems.includes(fileSystem)) {
      return {
        warning: `${where}, a file system of the network, where SQLite's locks and its log are not reliable. Use a local disk, or PostgreSQL.`,
      }
    }
    if (fileSystem === 'overlay') {
      return {
        warning: `${where}, the layer of a container: all data is gone with the container. Mount a volume there.`,
      }
    }
    return { ok: fileSystem === '' ? `The database is in ${folder}.` : `${where}.` }
  },

  sync({ folder, fileSystem = '', syncs }) {
    if ('problem' in syncs) {
      return {
        warning: `Syncs could not be measured in ${folder}: ${syncs.problem}. Run petstore doctor as the user of the service.`,
      }
    }
    // The check of the file system reports memory.
    if (inMemorySystems.includes(fileSystem)) return false
    const medianMs = syncs.timesMs.toSorted((one, other) => one - other)[syncs.timesMs.length >> 1]
    const measured = `A sync takes ${duration(medianMs ?? 0)}`
    if ((medianMs ?? 0) < believableMinMs) {
      return {
        error: `${measured}, less than any disk needs: syncs do not reach a disk here, and a power cut loses acknowledged data. Turn on syncs of the virtual disk or the controller (no cache=unsafe, no eatmydata), or use another disk.`,
      }
    }
    if ((medianMs ?? 0) > slowMinMs) {
      return {
        warning: `${measured}, and each create waits for one. Use a faster disk, or one that is less busy.`,
      }
    }
    return { ok: `${measured}, as on a disk that does sync.` }
  },

  freeSpace({ folder, freeBytes, freeFiles, storeBytes }) {
    const free = `${size(freeBytes)} are free in ${folder}`
    if (freeFiles === 0) {
      return {
        error: `${folder} has room for no further file (inodes): the service cannot start. Delete files there.`,
      }
    }
    if (freeBytes < freeMinBytes) {
      return {
        error: `${free}: writes soon get 503. Make room, or move the store to a larger disk.`,
      }
    }
    if (freeBytes < storeBytes) {
      return {
        warning: `${free}, less than the store has (${size(storeBytes)}): a backup beside it does not fit. Make room, or write backups to another disk.`,
      }
    }
    return { ok: `${free}; the store has ${size(storeBytes)}.` }
  },
}

const syncsMax = 21
const measuringMaxMs = 500

/** Measures the disk of a folder, which has the store at `path`. Writes one file there, and deletes it. */
export async function measureDisk(
  { environment, folder, path }: { environment: Environment; folder: string; path: string },
  random: Random,
): Promise<DiskFacts> {
  const { type, bavail, bsize, files, ffree } = await statfs(folder)
  const sizes = ['', '-wal'].map(
    (ending) => statSync(path + ending, { throwIfNoEntry: false })?.size,
  )
  return {
    environment,
    folder,
    fileSystem: process.platform === 'linux' ? fileSystems[type >>> 0] : undefined,
    freeBytes: bavail * bsize,
    freeFiles: files > 0 ? ffree : undefined,
    storeBytes: sizes.reduce<number>((sum, bytes = 0) => sum + bytes, 0),
    syncs: await measureSyncs(folder, random).catch(({ message }: Error) => ({ problem: message })),
  }
}

/** How long syncs take that follow an appended block. */
async function measureSyncs(folder: string, random: Random): Promise<{ timesMs: number[] }> {
  const path = join(folder, `.petstore-doctor-${Buffer.from(random(6)).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  try {
    const block = Buffer.alloc(4096, 'petstore')
    // The first sync is asynchronous, so that a disk that hangs does not block this thread.
    await file.write(block)
    await file.sync()
    const timesMs: number[] = []
    const endMs = performance.now() + measuringMaxMs
    while (timesMs.length < syncsMax && (timesMs.length === 0 || performance.now() < endMs)) {
      writeSync(file.fd, block)
      const startMs = performance.now()
      // In the thread pool, switching threads would take as long as a sync.
      fsyncSync(file.fd)
      timesMs.push(performance.now() - startMs)
    }
    return { timesMs }
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
