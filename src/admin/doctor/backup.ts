import type { Environment } from '../../config/settings.ts'
import type { Storage } from '../../db/storage.ts'
import { openManifest } from '../backup/open-backup.ts'
import type { Checks } from './finding.ts'

type BackupFacts = {
  environment: Environment
  nowMs: number
  /** The last one that the store knows of. */
  last: { madeAt: bigint; file: string } | undefined
  /** Why its file cannot be used. */
  problem?: string | undefined
}

const hourMs = 3_600_000
/** A daily backup, two hours late. */
const ageMaxHours = 26

/** Whether the last backup of a store is there, can be read and is recent. */
export const backupChecks: Checks<BackupFacts> = {
  lastBackup({ environment, nowMs, last, problem }) {
    const level = environment === 'production' ? 'warning' : 'ok'
    if (last === undefined) {
      return {
        [level]:
          'No backup of this store was made with petstore backup. Make one daily: docs/guides/backup.md has a timer.',
      }
    }
    const ageHours = Math.floor((nowMs - Number(last.madeAt)) / hourMs)
    const message = `The last backup is ${ageHours} hours old: ${last.file}.`
    if (problem !== undefined) return { warning: `${message} ${problem} Make another.` }
    if (ageHours < 0) {
      return {
        warning: `${message} The clock was ahead then, or is behind now. Correct it, and run petstore backup.`,
      }
    }
    if (ageHours < ageMaxHours) return { ok: message }
    return { [level]: `${message} Find out why the timer has not run, and run petstore backup.` }
  },
}

/** Why a backup cannot be used. Reads its manifest only; `petstore backup --check` reads every row. */
export function problemWithBackup(storage: Storage, file: string): string | undefined {
  try {
    openManifest(storage, file)
    return undefined
  } catch (error) {
    return `It cannot be used: ${(error as Error).message}`
  }
}
