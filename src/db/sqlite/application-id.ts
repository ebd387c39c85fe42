import { closeSync, openSync, readSync } from 'node:fs'

/** 'pets' in ASCII: identifies the service's files among SQLite databases. */
export const storeId = 0x70657473

/** 'petb' in ASCII: a backup, which no version of the program serves. */
export const backupId = 0x70657462

const magic = 'SQLite format 3\0'
const idOffset = 68

/** The application id in the header of a SQLite file, read without SQLite; `undefined` where it is not such a file. */
export function applicationIdOf(path: string): number | undefined {
  const header = Buffer.alloc(idOffset + 4)
  const descriptor = openSync(path, 'r')
  try {
    const length = readSync(descriptor, header, 0, header.length, 0)
    const isDatabase = length === header.length && header.toString('latin1', 0, 16) === magic
    return isDatabase ? header.readInt32BE(idOffset) : undefined
  } finally {
    closeSync(descriptor)
  }
}
