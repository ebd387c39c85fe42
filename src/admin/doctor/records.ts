import type { Environment } from '../../config/settings.ts'
import type { Checks } from './finding.ts'

type RecordsFacts = {
  /** Deliveries of webhooks that failed, and that were deleted before they succeeded. */
  failed: number
  pruned: number
  environment: Environment
  nowMs: number
  /** The last one that the store knows of. */
  last: { madeAt: bigint; file: string } | undefined
  /** Reads the manifest of a backup, and throws where there is none; `petstore backup --check` reads every row. */
  open(file: string): unknown
}

const hourMs = 3_600_000
/** A daily backup, two hours late. */
const ageMaxHours = 26

/** What the store records of its service: whether webhooks have received what they asked for, and the last backup. */
export const recordsChecks: Checks<RecordsFacts> = {
  deliveries({ failed, pruned }) {
    if (failed + pruned === 0) return { ok: 'No delivery of a webhook has failed.' }
    return {
      warning: `Deliveries of webhooks that have failed: ${failed}; deleted before they succeeded, beyond PETSTORE_DELIVERIES_MAX: ${pruned}. GET /webhooks/ID/deliveries?status=failed lists the first. Once the receiver works, retry them, or replay the events.`,
    }
  },

  lastBackup({ environment, nowMs, last, open }) {
    const level = environment === 'production' ? 'warning' : 'ok'
    if (last === undefined) {
      return {
        [level]:
          'No backup of this store was made with petstore backup. Make one daily: docs/guides/backup.md has a timer.',
      }
    }
    const ageHours = Math.floor((nowMs - Number(last.madeAt)) / hourMs)
    const message = `The last backup is ${ageHours} hours old: ${last.file}.`
    try {
      open(last.file)
    } catch (error) {
      return { warning: `${message} It cannot be used: ${(error as Error).message} Make another.` }
    }
    if (ageHours < 0) {
      return {
        warning: `${message} The clock was ahead then, or is behind now. Correct it, and run petstore backup.`,
      }
    }
    if (ageHours < ageMaxHours) return { ok: message }
    return { [level]: `${message} Find out why the timer has not run, and run petstore backup.` }
  },
}
