import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs'
import { connect } from '../connection.ts'
import { isDamage } from '../failures.ts'

/** Copies a database and its log; SQLite reads the log up to the first damage. Deletes what is at `copy`. */
export function copyDatabase(path: string, copy: string, { hasLog }: { hasLog: boolean }): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(copy + ending, { force: true })
  for (const ending of hasLog && existsSync(`${path}-wal`) ? ['', '-wal'] : ['']) {
    copyFileSync(path + ending, copy + ending)
    // What is copied may be read-only.
    chmodSync(copy + ending, 0o600)
  }
}

/** Whether SQLite finds the pages and indexes of a file intact. Copies its log into it. */
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
