import { closeSync, openSync } from 'node:fs'
import { fill, isPageSize } from './loss/log-format.ts'

/** 'pets' in ASCII: identifies the service's files among SQLite databases. */
export const storeId = 0x70657473

/** 'petb' in ASCII: a backup, which no version of the program serves. */
export const backupId = 0x70657462

/** The header's bytes in front of the first page (sqlite.org/fileformat2.html, section 1.3). */
const headerBytes = 100

type FileHeader = { id: number; userVersion: number; pageSize: number }

/** The header of a SQLite file, read without SQLite; `undefined` where it is not such a file. */
export function readFileHeader(path: string): FileHeader | undefined {
  const header = Buffer.alloc(headerBytes)
  if (!readAt(path, header, 0) || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    return undefined
  const stored = header.readUInt16BE(16)
  const pageSize = stored === 1 ? 65_536 : stored
  if (!isPageSize(pageSize)) return undefined
  return { id: header.readUInt32BE(68), userVersion: header.readUInt32BE(60), pageSize }
}

/** Fills the buffer from this position of a file; `false` where the file ends before. */
export function readAt(path: string, buffer: Buffer, position: number): boolean {
  const descriptor = openSync(path, 'r')
  try {
    return fill(descriptor, buffer, position)
  } finally {
    closeSync(descriptor)
  }
}
