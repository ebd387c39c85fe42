import { statSync } from 'node:fs'
import type { Environment } from '../../config/settings.ts'
import type { Storage } from '../../db/storage.ts'
import { openManifest } from '../backup/open-backup.ts'
import { type Finding, ok, warning } from './finding.ts'
import { duration, size } from './quantities.ts'
import type { StoreFacts } from './store.ts'

type BackupFacts = {
  environment: Environment
  nowMs: number
  /** The last one that the store knows of. */
  last: { madeAtMs: number; file: string } | undefined
  /** The size of its file, or why it cannot be used. */
  file: { bytes: number } | { problem: string }
}

/** A daily backup, two hours late. */
const ageMaxMs = 26 * 3_600_000
/** The clocks of two machines may differ so much. */
const aheadMaxMs = 60_000

/** Whether the last backup of a store is there, can be read and is recent; nothing where the store cannot be read. */
export function checkBackupOf(
  storage: Storage,
  { environment, contents }: StoreFacts,
  nowMs: number,
): Finding[] {
  if (!contents) return []
  const last = contents.lastBackup
  return checkBackup({
    environment,
    nowMs,
    last,
    file: last ? readFile(storage, last.file) : { bytes: 0 },
  })
}

export function checkBackup({ environment, nowMs, last, file }: BackupFacts): Finding[] {
  if (last === undefined) {
    const message = 'No backup of this store was made with petstore backup.'
    return environment === 'production'
      ? [warning('lastBackup', `${message} Make one daily: docs/guides/backup.md has a timer.`)]
      : [ok('lastBackup', message)]
  }
  const ageMs = nowMs - last.madeAtMs
  const message = `The last backup is ${duration(Math.max(ageMs, 0))} old: ${last.file}`
  if ('problem' in file) return [warning('lastBackup', `${message}. ${file.problem}`)]
  if (-ageMs > aheadMaxMs) {
    return [
      warning(
        'lastBackup',
        `The last backup has a time that is ${duration(-ageMs)} ahead: ${last.file}. The clock was ahead when it was made. Run petstore backup.`,
      ),
    ]
  }
  if (ageMs <= ageMaxMs || environment !== 'production') {
    return [ok('lastBackup', `${message}, ${size(file.bytes)}.`)]
  }
  return [
    warning(
      'lastBackup',
      `${message}. Find out why the timer has not run, and run petstore backup.`,
    ),
  ]
}

/** Reads the manifest only; `petstore backup --check` reads every row. */
function readFile(storage: Storage, file: string): BackupFacts['file'] {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) {
    return { problem: 'That file is not on this machine. Look where it is, or make another.' }
  }
  try {
    openManifest(storage, file)
    return { bytes: found.size }
  } catch (error) {
    return { problem: `It cannot be used: ${(error as Error).message} Make another.` }
  }
}
