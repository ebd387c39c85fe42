import { resolve } from 'node:path'
import type { CheckedBackup } from '../../admin/backup/check-backup.ts'
import { leaveStore, releaseStore } from '../../admin/backup/leave-store.ts'
import { makeBackup, type Rotated, recordBackup, rotate } from '../../admin/backup/make-backup.ts'
import { type BackupTarget, chooseTarget } from '../../admin/backup/target.ts'
import { deleteOwnFile } from '../../admin/backup/unfinished.ts'
import { runInWorker } from '../../admin/worker-client.ts'
import { declared } from '../../app/declared.ts'
import { storage } from '../../app/storage.ts'
import type { Config } from '../../config/config.ts'
import { usageError } from '../../config/exit-error.ts'
import { systemClock } from '../../context/context.ts'
import { versionOf } from '../../version.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readBackupPath } from '../arguments/read-backup-path.ts'
import { readInteger } from '../arguments/read-integer.ts'
import { counted, printJson, tell, timeSince } from '../text/print.ts'
import { withProgress } from '../text/progress.ts'
import { configOf } from './config-of.ts'
import { amountOf, backupAsJson, formatManifest } from './describe-backup.ts'
import { countFindings, describeResult, describeResults, exitCodeFor } from './describe-report.ts'

type BackupFlags = FlagsOf<'replace' | 'check' | 'last' | 'release' | 'json', 'keep'>

/**
 * `backup`: writes a backup, the last one of a store with `--last`, or reads an existing one with `--check`. Resolves with the exit code `finding` where `verify`
 * finds something. Throws `ExitError`, `OpenError`.
 */
export async function backupCommand(
  flags: BackupFlags,
  argument: string | undefined,
): Promise<number> {
  if (flags.release) return release(flags, argument)
  const file = readBackupPath(argument, 'Say where: petstore backup FILE, or a folder.')
  return flags.check ? check(file, flags) : make(file, flags)
}

async function check(file: string, { replace, last, json, keep }: BackupFlags): Promise<number> {
  if (replace || last || keep !== undefined) {
    throw usageError('--check reads a backup; --keep, --last and --replace are for making one.')
  }
  const task = { name: 'check', input: resolve(file) } as const
  const backup = await withProgress((onProgress) => runInWorker(declared, task, onProgress))
  const { results } = backup
  if (json) printJson(backupAsJson(file, backup))
  else {
    const all = [...results.map(describeResult), describeResults(results)]
    process.stdout.write(formatManifest(file, backup) + all.join(''))
  }
  return exitCodeFor(results)
}

async function make(given: string, flags: BackupFlags): Promise<number> {
  const { keep, replace, last, json } = flags
  const config = configOf(flags, inMemorySentence)
  const { database } = config
  const madeAtMs = systemClock()
  const target = chooseTarget({
    given,
    environment: config.environment,
    nowMs: madeAtMs,
    replaces: replace || last,
    databasePath: database.engine === 'sqlite' ? database.path : undefined,
  })
  const keptCount = keep === undefined ? undefined : readCount(keep, target)
  const request = {
    source: database,
    environment: config.environment,
    target,
    program: versionOf(),
    madeAtMs,
  }
  const backup = await withProgress(
    (onProgress) =>
      last
        ? leaveStore(declared, { ...request, replaces: replace }, onProgress)
        : makeBackup(declared, request, onProgress),
    () => {
      deleteOwnFile()
      return last ? interruptedSentence : 'Interrupted: there is no backup.'
    },
  )
  const recorded = last ? undefined : recordBackup(storage, request, backup, systemClock())
  const failure = await recorded?.catch((error: Error) => error)
  // While the store has findings, an older backup may be the better one.
  const rotated =
    keptCount === undefined || countFindings(backup.results) > 0
      ? { deleted: [], future: [] }
      : rotate(target, config.environment, keptCount)
  if (json) printJson({ ...backupAsJson(target.file, backup), ...rotated })
  else {
    tell(summaryOf(config, target, backup, timeSince(madeAtMs), rotated))
    if (last) tell(leftSentence(database.name, target.file))
  }
  if (failure) tell(`The backup is complete, but the store does not know of it: ${failure.message}`)
  return exitCodeFor(backup.results)
}

/** `backup --release`. */
async function release(flags: BackupFlags, argument: string | undefined): Promise<number> {
  const { check, keep, last, replace } = flags
  if (argument !== undefined || keep !== undefined || check || last || replace)
    throw usageError(
      '--release makes no backup: it takes no FILE, --check, --keep, --last or --replace.',
    )
  const { database } = configOf(flags, inMemorySentence)
  const backup = await releaseStore(storage, database)
  if (flags.json) printJson({ released: database.name, backup })
  else
    tell(
      `${database.name} may be used again, as it was when it was moved. Do not use what ${backup} was restored to: each store would lack the changes of the other.`,
    )
  return 0
}

const interruptedSentence =
  'Interrupted. If a service says that the store is being moved, run this command again, or petstore backup --release.'

function leftSentence(name: string, file: string): string {
  return `${name} is not used any more. Set PETSTORE_DATABASE to the new place, and run petstore restore ${file}; then start the service. To go back: petstore backup --release.`
}

const inMemorySentence = 'A store in memory ends with its process: there is nothing to back up.'

function readCount(keep: string, { isDated }: BackupTarget): number {
  const sentence = 'Say how many backups to keep: --keep N, from 1 to 999999.'
  const count = readInteger(keep, [1n, 999_999n], sentence)
  if (!isDated) throw usageError('--keep is for a folder, which gets a new file each time.')
  return Number(count)
}

function summaryOf(
  { database }: Config,
  { file }: BackupTarget,
  backup: CheckedBackup,
  time: string,
  { deleted, future }: Rotated,
): string {
  const count = countFindings(backup.results)
  return [
    `${database.name} is backed up in ${file}: ${amountOf(file, backup)}, in ${time}.`,
    ...(deleted.length > 0 ? [`Deleted ${deleted.length} older.`] : []),
    ...(future.length > 0
      ? [
          `Kept ${future.join(', ')}, since the time in the name is in the future. Was the clock ahead? Delete or rename what you do not need.`,
        ]
      : []),
    ...(count > 0
      ? [`The store has ${counted(count, 'finding')}, and so has the backup: see petstore verify.`]
      : []),
  ].join(' ')
}
