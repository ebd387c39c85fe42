import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { connect } from './connection.ts'
import { copyWritable } from './copy-writable.ts'
import { isDamage } from './failures.ts'
import { type AppliedLog, applyLog } from './loss/apply-log.ts'

/** The first bytes of every store: a SQLite database with pages of this size and a write-ahead log. */
const headerOf = (pageSize: number) =>
  Buffer.concat([
    Buffer.from('SQLite format 3\0', 'latin1'),
    Buffer.from([(pageSize >> 8) & 0xff, pageSize === 65_536 ? 1 : 0, 2, 2, 0, 64, 32, 32]),
  ])

type Copying = {
  path: string
  /** Where the copy goes; what is there is deleted. */
  copy: string
  pageSize: number
  /** What is taken from the log; see `applyLog`. */
  extent: 'none' | 'sound' | 'all'
}

/** Copies a database and what can be taken from its log into one file, without SQLite. */
export function copyDatabase({ path, copy, pageSize, extent }: Copying): AppliedLog {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(copy + ending, { force: true })
  if (existsSync(path)) copyWritable(path, copy)
  else closeSync(openSync(copy, 'wx'))
  const log = `${path}-wal`
  const applied =
    extent === 'none' || !existsSync(log)
      ? { commits: 0, mended: 0, bad: 0 }
      : applyLog(log, copy, { pageSize, extent })
  const descriptor = openSync(copy, 'r+')
  writeSync(descriptor, headerOf(pageSize), 0)
  closeSync(descriptor)
  return applied
}

/** Whether SQLite finds the pages and indexes of a file intact. */
export async function isIntact(path: string): Promise<boolean> {
  try {
    const connection = connect(path)
    try {
      const damages = await connection.findDamage()
      return damages.every(({ isInRows }) => isInRows)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}
