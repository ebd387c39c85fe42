import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openManifest } from '../admin/backup/open-backup.ts'
import { listDated } from '../admin/backup/target.ts'
import { deleteFile } from '../admin/backup/unfinished.ts'
import { fileBeside, restorePostgres } from '../admin/restore/restore-postgres.ts'
import { type Restored, restoreSqlite } from '../admin/restore/restore-store.ts'
import { declared } from '../app/declared.ts'
import { storage } from '../app/storage.ts'
import { ExitError } from '../config/exit-error.ts'
import type { Environment } from '../config/settings.ts'
import { systemClock } from '../context/context.ts'
import type { IdSource } from '../db/last-ids.ts'
import { unfinishedAt } from '../db/sqlite/destination.ts'
import { unknownIdsMargin } from '../db/sqlite/loss/recorded-ids.ts'
import { requireOwner } from '../features/environment/claim-database.ts'
import { configOf } from './config-of.ts'
import { amountOf, backupAsJson, countFindings } from './describe-backup.ts'
import { findingsOf } from './describe-report.ts'
import { exitCodes } from './exit-codes.ts'
import { refuseAddress } from './refuse-address.ts'
import { showProgress } from './show-progress.ts'
import { whenInterrupted } from './when-interrupted.ts'

type RestoreFlags = {
  replace: boolean
  'skip-ids'?: string | undefined
  json: boolean
  environment?: string | undefined
}

/**
 * `restore`: makes a store of a backup. Resolves with the exit code `finding` where `verify` finds something in it. Throws
 * `ExitError`, `OpenError`.
 */
export async function restoreCommand(
  { replace, 'skip-ids': skipIds, json, environment }: RestoreFlags,
  file: string | undefined,
): Promise<number> {
  if (file === undefined || file === '') {
    throw new ExitError('usage', 'Say which backup: petstore restore FILE.')
  }
  refuseAddress(file)
  const skippedIds = readSkippedIds(skipIds)
  const config = configOf({ environment }, inMemorySentence)
  const { database } = config
  const backup = resolve(file)
  refuseFolder(backup, config.environment)
  const manifest = openManifest(storage, backup)
  if (manifest.environment !== null) requireOwner(manifest.environment, file, config.environment)

  const nowMs = systemClock()
  const progress = showProgress(process.stderr, systemClock)
  const cancel = whenInterrupted(() => {
    progress.clear()
    const isFile = database.engine === 'sqlite'
    deleteFile(isFile ? unfinishedAt(database.path) : fileBeside(backup))
    process.stderr.write(isFile ? 'Interrupted: nothing was changed.\n' : interruptedOnPostgres)
  })
  const order = { backup, replaces: replace, skippedIds, nowMs }
  const restoring =
    database.engine === 'sqlite'
      ? restoreSqlite(declared, database.path, order, progress.onProgress)
      : restorePostgres(declared, database, order, progress.onProgress)
  const restored = await restoring.finally(() => {
    cancel()
    progress.clear()
  })
  if (json) process.stdout.write(`${JSON.stringify(asJson(backup, database.name, restored))}\n`)
  else {
    const seconds = ((systemClock() - nowMs) / 1_000).toFixed(1)
    process.stderr.write(summaryOf(backup, database.name, restored, skippedIds, seconds))
  }
  return countFindings(restored.results) === 0 ? 0 : exitCodes.finding
}

/** Throws `usage` for a folder, with the name of its newest backup. */
function refuseFolder(path: string, environment: Environment) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const newest = listDated(path, environment).at(-1)?.file
  throw new ExitError(
    'usage',
    newest === undefined
      ? `${path} is a folder, without a backup of ${environment} that has the time in its name. Say which file.`
      : `${path} is a folder. Its newest backup of ${environment} is ${newest}.`,
  )
}

const inMemorySentence = 'A store in memory ends with its process: nothing can be restored to it.'
const interruptedOnPostgres =
  'Interrupted. If services say that a restore has not ended, run this command again.\n'

/** As many as a service could assign in years; ids stay far below those that a double cannot hold. */
const skippedIdsMax = 1_000_000_000_000n

function readSkippedIds(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const count = /^\d{1,13}$/.test(text) ? BigInt(text) : -1n
  if (count < 0n || count > skippedIdsMax) {
    const most = skippedIdsMax.toLocaleString('en-US')
    throw new ExitError(
      'usage',
      `Say how many ids are to stay unused: --skip-ids N, from 0 to ${most}.`,
    )
  }
  return count
}

function asJson(backup: string, database: string, restored: Restored) {
  const lastIds = Object.entries(restored.lastIds).map(([table, id]) => [table, String(id)])
  return {
    ...backupAsJson(backup, restored),
    database,
    kept: restored.kept ?? null,
    lastIds: Object.fromEntries(lastIds),
  }
}

function summaryOf(
  backup: string,
  database: string,
  restored: Restored,
  skippedIds: bigint | undefined,
  seconds: string,
): string {
  const { manifest, results, kept, idSource } = restored
  const count = countFindings(results)
  const parts = [
    `${database} has the contents of ${backup}, of ${manifest.madeAt}: ${amountOf(backup, restored)}, in ${seconds} s.`,
    ...(kept === undefined ? [] : [`What was there is kept as ${kept}.`]),
    ...describeIds(idSource, skippedIds),
    ...(count > 0 ? [`It has ${findingsOf(count)}: see petstore verify.`] : []),
  ]
  return `${parts.join(' ')}\n`
}

function describeIds(source: IdSource, skippedIds: bigint | undefined): string[] {
  if (skippedIds !== undefined || source === 'store') return []
  if (source === 'none')
    return [
      'Ids that were assigned after the backup may be assigned again; --replace --skip-ids N avoids it.',
    ]
  const more = unknownIdsMargin.toLocaleString('en-US')
  return [
    `The old store is damaged or missing. Its last ids are those of its witness or log; the latest may be missing there, so ${more} more of each table stay unused.`,
  ]
}
