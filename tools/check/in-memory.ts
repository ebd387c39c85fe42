import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
/** Many times the data of all servers of a run. */
const roomMinBytes = 4 * 2 ** 30

/**
 * A folder in memory, if the system has one with enough space. The tests make and remove databases of three hundred files
 * each: on a disk, this would take a third of their processor time.
 */
export function inMemory(): string | undefined {
  if (freemem() < roomMinBytes) return undefined
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < roomMinBytes ? undefined : folder
  } catch {
    return undefined
  }
}
