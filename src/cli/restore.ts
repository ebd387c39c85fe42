import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openManifest } from '../admin/backup/open-backup.ts'
import { listDated } from '../admin/backup/target.ts'
import { fileBeside, restorePostgres } from '../admin/restore/restore-postgres.ts'
import { type Restored, restoreSqlite } from '../admin/restore/restore-store.ts'
import { declared } from '../app/declared.ts'
import { storage } from '../app/storage.ts'
import { usageError } from '../config/exit-error.ts'
import type { Environment } from '../config/settings.ts'
import { systemClock } from '../context/context.ts'
import { deleteDatabase } from '../db/files/place-file.ts'
import type { IdSource } from '../db/last-ids.ts'
import { unfinishedAt } from '../db/sqlite/destination.ts'
import { unknownIdsMargin } from '../db/sqlite/loss/find-loss.ts'
import { requireOwner } from '../features/environment/claim-database.ts'
import { configOf } from './config-of.ts'
import type { FlagsOf } from './define-command.ts'
import { amountOf, backupAsJson } from './describe-backup.ts'
import { adviceOn, exitCodeFor } from './describe-report.ts'
import { numberOf, printJson, tell, timeSince } from './print.ts'
import { withProgress } from './progress.ts'
import { readBackupPath } from './read-backup-path.ts'
import { readInteger } from './read-integer.ts'

/**
 * `restore`: makes a store of a backup. Resolves with the exit code `finding` where `verify` finds something in it. Throws
 * `ExitError`, `OpenError`.
 */
export async function restoreCommand(
  { replace, 'skip-ids': skipIds, json, environment }: FlagsOf<'replace' | 'json', 'skip-ids'>,
  argument: string | undefined,
): Promise<number> {
  const file = readBackupPath(argument, 'Say which backup: petstore restore FILE.')
  const skippedIds = readSkippedIds(skipIds)
  const config = configOf({ environment }, inMemorySentence)
  const { database } = config
  const backup = resolve(file)
  refuseFolder(backup, config.environment)
  const manifest = openManifest(storage, backup)
  if (manifest.environment !== null) requireOwner(manifest.environment, file, config.environment)

  const nowMs = systemClock()
  const order = { backup, replaces: replace, skippedIds, nowMs }
  const restored = await withProgress(
    (onProgress) =>
      database.engine === 'sqlite'
        ? restoreSqlite(declared, database.path, order, onProgress)
        : restorePostgres(declared, database, order, onProgress),
    () => {
      const isFile = database.engine === 'sqlite'
      deleteDatabase(isFile ? unfinishedAt(database.path) : fileBeside(backup))
      return isFile ? 'Interrupted: nothing was changed.' : interruptedOnPostgres
    },
  )
  const { lastIds, kept = null } = restored
  if (json) printJson({ ...backupAsJson(backup, restored), database: database.name, kept, lastIds })
  else tell(summaryOf(backup, database.name, restored, skippedIds, timeSince(nowMs)))
  return exitCodeFor(restored.results)
}

/** Throws `usage` for a folder, with the name of its newest backup. */
function refuseFolder(path: string, environment: Environment) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const newest = listDated(path, environment).at(-1)?.file
  throw usageError(
    newest === undefined
      ? `${path} is a folder, without a backup of ${environment} that has the time in its name. Say which file.`
      : `${path} is a folder. Its newest backup of ${environment} is ${newest}.`,
  )
}

const inMemorySentence = 'A store in memory ends with its process: nothing can be restored to it.'
const interruptedOnPostgres =
  'Interrupted. If services say that a restore has not ended, run this command again.'

/** As many as a service could assign in years; ids stay far below those that a double cannot hold. */
const skippedIdsMax = 1_000_000_000_000n

function readSkippedIds(text: string | undefined): bigint | undefined {
  const sentence = `Say how many ids are to stay unused: --skip-ids N, from 0 to ${skippedIdsMax.toLocaleString('en-US')}.`
  return readInteger(text, [0n, skippedIdsMax], sentence)
}

function summaryOf(
  backup: string,
  database: string,
  restored: Restored,
  skippedIds: bigint | undefined,
  time: string,
): string {
  const { manifest, results, kept, idSource } = restored
  return [
    `${database} has the contents of ${backup}, of ${manifest.madeAt}: ${amountOf(backup, restored)}, in ${time}.`,
    ...(kept === undefined ? [] : [`What was there is kept as ${kept}.`]),
    ...describeIds(idSource, skippedIds),
    ...adviceOn(results),
  ].join(' ')
}

function describeIds(source: IdSource, skippedIds: bigint | undefined): string[] {
  if (skippedIds !== undefined || source === 'store') return []
  if (source === 'none')
    return [
      'Ids that were assigned after the backup may be assigned again; --replace --skip-ids N avoids it.',
    ]
  const more = numberOf(Number(unknownIdsMargin))
  return [
    `The old store is damaged or missing. Its last ids are those of its witness or log; the latest may be missing there, so ${more} more of each table stay unused.`,
  ]
}
