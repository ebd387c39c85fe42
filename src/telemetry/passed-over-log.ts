import type { DamagedRow } from '../db/records/damaged-row.ts'
import type { Log } from './log.ts'

/** More damaged rows than this are not logged: `petstore verify` lists all. */
const loggedMax = 1_000

/** Logs each damaged row that readers pass over once. */
export function createPassedOverLog(log: Pick<Log, 'error'>) {
  const logged = new Set<string>()
  return (damaged: readonly DamagedRow[]): void => {
    for (const { message } of damaged) {
      if (logged.has(message) || logged.size >= loggedMax) continue
      logged.add(message)
      log.error(message)
    }
  }
}
