import type { Environment } from '../../config/settings.ts'
import { error, type Finding, ok, warning } from './finding.ts'
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

const inMemorySystems = ['tmpfs', 'ramfs']
const networkSystems = ['nfs', 'smb', '9p']
/** An appended block, its length and a flush of the drive take longer on every disk that was measured. */
const believableMinMs = 0.03
/** Each create waits for a sync. */
const slowMinMs = 50
const freeMinBytes = 64e6

/** The disk that the database is on. */
export function checkDisk(facts: DiskFacts): Finding[] {
  return [checkFileSystem(facts), ...checkSyncs(facts), checkFree(facts)]
}

function checkFileSystem({ environment, folder, fileSystem }: DiskFacts): Finding {
  if (fileSystem === undefined) return ok('fileSystem', `The database is in ${folder}.`)
  const where = `${folder} is on ${fileSystem}`
  if (inMemorySystems.includes(fileSystem)) {
    const raise = environment === 'production' ? error : warning
    return raise(
      'fileSystem',
      `${where}, which is memory: all data is gone when the machine stops. Set PETSTORE_DATABASE to a path on a disk.`,
    )
  }
  if (networkSystems.includes(fileSystem)) {
    return warning(
      'fileSystem',
      `${where}, a file system of the network, where SQLite's locks and its log are not reliable. Use a local disk, or PostgreSQL.`,
    )
  }
  if (fileSystem === 'overlay') {
    return warning(
      'fileSystem',
      `${where}, the layer of a container: all data is gone with the container. Mount a volume there.`,
    )
  }
  return ok('fileSystem', `${where}.`)
}

function checkSyncs({ folder, fileSystem = '', syncs }: DiskFacts): Finding[] {
  if ('problem' in syncs) {
    return [
      warning(
        'sync',
        `Syncs could not be measured in ${folder}: ${syncs.problem}. Run petstore doctor as the user of the service.`,
      ),
    ]
  }
  // That it is memory is said already.
  if (inMemorySystems.includes(fileSystem)) return []
  const middleMs = medianOf(syncs.timesMs)
  const measured = `A sync takes ${duration(middleMs)}`
  if (middleMs < believableMinMs) {
    return [
      error(
        'sync',
        `${measured}, less than any disk needs: syncs do not reach a disk here, and a power cut loses acknowledged data. Turn on syncs of the virtual disk or the controller (no cache=unsafe, no eatmydata), or use another disk.`,
      ),
    ]
  }
  if (middleMs > slowMinMs) {
    return [
      warning(
        'sync',
        `${measured}, and each create waits for one. Use a faster disk, or one that is less busy.`,
      ),
    ]
  }
  return [ok('sync', `${measured}, as on a disk that does sync.`)]
}

function checkFree({ folder, freeBytes, freeFiles, storeBytes }: DiskFacts): Finding {
  const free = `${size(freeBytes)} are free in ${folder}`
  if (freeFiles === 0) {
    return error(
      'freeSpace',
      `${folder} has room for no further file (inodes): the service cannot start. Delete files there.`,
    )
  }
  if (freeBytes < freeMinBytes) {
    return error(
      'freeSpace',
      `${free}: writes soon get 503. Make room, or move the store to a larger disk.`,
    )
  }
  if (freeBytes < storeBytes) {
    return warning(
      'freeSpace',
      `${free}, less than the store has (${size(storeBytes)}): a backup beside it does not fit. Make room, or write backups to another disk.`,
    )
  }
  return ok('freeSpace', `${free}; the store has ${size(storeBytes)}.`)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
