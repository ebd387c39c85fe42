import type { Environment } from '../../config/settings.ts'
import { type Finding, ok, warning } from './finding.ts'
import { duration } from './quantities.ts'
import type { StoreFacts } from './store.ts'

type BackupFacts = {
  environment: Environment
  nowMs: number
  /** The last one that the store knows of. */
  last: { madeAtMs: number; file: string } | undefined
}

/** A daily backup, two hours late. */
const ageMaxMs = 26 * 3_600_000

/** How old the last backup of a store is, as far as it can be read. */
export function checkBackupOf({ environment, contents }: StoreFacts, nowMs: number): Finding[] {
  return contents ? checkBackup({ environment, nowMs, last: contents.lastBackup }) : []
}

export function checkBackup({ environment, nowMs, last }: BackupFacts): Finding[] {
  if (last === undefined) {
    const message = 'No backup of this store was made with petstore backup.'
    return environment === 'production'
      ? [warning('lastBackup', `${message} Make one daily: docs/guides/backup.md has a timer.`)]
      : [ok('lastBackup', message)]
  }
  const ageMs = nowMs - last.madeAtMs
  const message = `The last backup is ${duration(Math.max(ageMs, 0))} old: ${last.file}.`
  if (ageMs <= ageMaxMs || environment !== 'production') return [ok('lastBackup', message)]
  return [
    warning('lastBackup', `${message} Look why the timer has not run, and run petstore backup.`),
  ]
}
