import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openManifest } from '../../admin/backup/open-backup.ts'
import { listDated } from '../../admin/backup/target.ts'
import { deleteOwnFile } from '../../admin/backup/unfinished.ts'
import { adoptStore } from '../../admin/restore/adopt-store.ts'
import { restorePostgres } from '../../admin/restore/restore-postgres.ts'
import { type Restored, restoreSqlite } from '../../admin/restore/restore-store.ts'
import { declared } from '../../app/declared.ts'
import { storage } from '../../app/storage.ts'
import { usageError } from '../../config/exit-error.ts'
import type { Environment } from '../../config/settings.ts'
import { systemClock } from '../../context/context.ts'
import { requireOwner } from '../../features/environment/claim-database.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readBackupPath } from '../arguments/read-backup-path.ts'
import { readInteger } from '../arguments/read-integer.ts'
import { numberOf, printJson, tell, timeSince } from '../text/print.ts'
import { withProgress } from '../text/progress.ts'
import { configOf } from './config-of.ts'
import { amountOf, backupAsJson } from './describe-backup.ts'
import { adviceOn, countFindings, exitCodeFor } from './describe-report.ts'

/**
 * `restore`: makes a store of a backup. Resolves with the exit code `finding` where `verify` finds something in it. Throws
 * `ExitError`, `OpenError`.
 */
export async function restoreCommand(
  { replace, 'skip-ids': skipIds, json, environment }: FlagsOf<'replace' | 'json', 'skip-ids'>,
  argument: string | undefined,
): Promise<number> {
  if (argument === undefined && replace && skipIds === undefined)
    return adopt({ json, environment })
  const file = readBackupPath(argument, 'Say which backup: petstore restore FILE.')
  const skippedIds = readSkippedIds(skipIds)
  const config = configOf({ environment }, inMemorySentence)
  const { database } = config
  const backup = resolve(file)
  refuseFolder(backup, config.environment)
  const manifest = openManifest(storage, backup)
  if (manifest.environment !== null) requireOwner(manifest.environment, file, config.environment)

  const nowMs = systemClock()
  // Said how many ids stay unused, it is meant as a copy.
  const isLast = manifest.last !== undefined && skippedIds === undefined
  const order = { backup, isLast, replaces: replace, skippedIds, nowMs }
  const restored = await withProgress(
    (onProgress) =>
      database.engine === 'sqlite'
        ? restoreSqlite(declared, database.path, order, onProgress)
        : restorePostgres(declared, database, order, onProgress),
    () => {
      deleteOwnFile()
      return database.engine === 'sqlite'
        ? 'Interrupted: nothing was changed.'
        : interruptedOnPostgres
    },
  )
  const { lastIds, kept = null, goesOn } = restored
  const report = { database: database.name, kept, goesOn, lastIds }
  if (json)
    printJson({ ...backupAsJson(backup, restored), ...report, skippedIds: restored.skippedIds })
  else tell(summaryOf(backup, database.name, restored, skippedIds, timeSince(nowMs)))
  return exitCodeFor(restored.results)
}

/** `restore --replace` without FILE: for a store of before 1.0.0. */
async function adopt({ json, environment }: Omit<FlagsOf<'json'>, 'command'>): Promise<number> {
  const { database } = configOf({ environment }, inMemorySentence)
  const nowMs = systemClock()
  const { kept, results } = await withProgress(
    (onProgress) => adoptStore(declared, database, nowMs, onProgress),
    () => {
      deleteOwnFile()
      return 'Interrupted. If a start names this command again, run it again.'
    },
  )
  const { name } = database
  if (json) printJson({ database: name, kept, findings: countFindings(results) })
  else
    tell(
      [
        `${name} is a store of this version, with the same contents; its ids, events and webhooks go on. What was there is kept as ${kept}.`,
        ...adviceOn(results),
      ].join(' '),
    )
  return exitCodeFor(results)
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
  const { manifest, results, kept } = restored
  return [
    `${database} has the contents of ${backup}, of ${manifest.madeAt}: ${amountOf(backup, restored)}, in ${time}.`,
    ...(kept === undefined ? [] : [`What was there is kept as ${kept}.`]),
    ...describeIds(restored, skippedIds),
    ...adviceOn(results),
  ].join(' ')
}

function describeIds({ manifest, goesOn, ...restored }: Restored, asked?: bigint): string[] {
  if (goesOn) return ['It is the store that has moved: its ids, events and webhooks go on.']
  const isSecond = manifest.last !== undefined && asked === undefined
  const isSkipped = asked === undefined && restored.skippedIds > 0n
  const count = numberOf(Number(restored.skippedIds))
  return [
    ...(isSecond
      ? ['It is a copy: the store that moved goes on once, and only in an empty place.']
      : []),
    ...(isSkipped
      ? [
          `It is not known which ids were assigned after the backup, so ${count} of each table stay unused; --skip-ids N sets how many.`,
        ]
      : []),
  ]
}
