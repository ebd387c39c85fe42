import { statSync } from 'node:fs'
import type { Environment } from '../../config/settings.ts'
import type { OpenError } from '../../db/errors.ts'
import { describeDifferences, isFatal, remedyFor } from '../../db/schema-difference.ts'
import type { Storage } from '../../db/storage.ts'
import type { StoreFacts as Facts } from '../../db/store-facts.ts'
import { openManifest } from '../backup/open-backup.ts'
import type { Checks } from './finding.ts'
import { duration, listed, size } from './quantities.ts'
import type { StoreContents } from './queries.ts'

export type StoreFacts = Facts<StoreContents> & { environment: Environment }

const logMaxBytes = 1e9

/** Whether the store can be served as it is. */
export const storeChecks: Checks<StoreFacts> = {
  store({ name, state, problem, pending }) {
    if (problem !== undefined) return { error: describeProblem(problem) }
    if (state === 'missing') {
      return {
        warning: `There is no store at ${name}; a start creates a new, empty one. Check PETSTORE_DATABASE and the current folder.`,
      }
    }
    if (pending.length === 0) return { ok: `${name} is a store of this version.` }
    return {
      warning: `${name} is a store of an older version: the next start upgrades it (${listed(pending)}). Take a backup first.`,
    }
  },

  schema({ name, engine, schema = [] }) {
    if (schema.length === 0) return false
    const sentence = `${name} has another schema than its migrations make: ${describeDifferences(schema)}.`
    return schema.some((difference) => isFatal(difference, engine))
      ? { error: `${sentence} A start refuses it; ${remedyFor(schema)}.` }
      : { warning: `${sentence} A start warns of it. Undo the changes that are not wanted.` }
  },

  environment: ({ name, environment, contents }) =>
    contents?.owner !== undefined &&
    contents.owner !== environment && {
      error: `${name} holds the data of ${contents.owner}, and this is ${environment}, so a start refuses it. Correct PETSTORE_DATABASE or PETSTORE_ENVIRONMENT.`,
    },

  keys({ contents }) {
    if (contents === undefined) return false
    const { valid, issued } = contents.keys
    if (valid > 0) return { ok: `Of ${issued} keys ${valid} are valid.` }
    if (issued === 0)
      return { ok: 'The store has no keys; the first start of the service issues one.' }
    return {
      warning:
        'No key is valid: nobody can use the service. Issue one: petstore keys create --name NAME.',
    }
  },

  webhooks({ contents }) {
    const { count, paused } = contents?.webhooks ?? { count: 0, paused: 0 }
    if (count === 0) return false
    const sentence = `The store and its backups hold the secrets of ${count} ${count === 1 ? 'webhook' : 'webhooks'}: who reads them can sign events.`
    if (paused === 0) return { ok: sentence }
    return {
      warning: `${sentence} Nothing is sent, since the store was restored, recovered or transferred: petstore webhooks resume ends that.`,
    }
  },

  service: ({ state, servedBy }) =>
    state !== 'missing' && {
      ok: servedBy === undefined ? 'No service runs on it.' : `A service runs on it: ${servedBy}.`,
    },

  log({ state, logBytes = 0, servedBy }) {
    if (logBytes > logMaxBytes) {
      return {
        warning: `The log of the database has ${size(logBytes)}: a long read keeps it from being emptied. Look for a petstore verify, a backup or another program that reads it.`,
      }
    }
    if (servedBy !== undefined || logBytes === 0) return false
    return {
      warning: `The last process did not stop cleanly, and a log of ${size(logBytes)} is left. Keep it beside the database${state === 'readable' ? ': the next start recovers it' : ''}.`,
    }
  },
}

/** Why a store cannot be opened, always with what to do. */
function describeProblem(problem: OpenError | string): string {
  if (typeof problem === 'string') return problem
  const { reason, message } = problem
  if (reason === 'damaged' && !message.includes('backup')) {
    return `${message} Correct PETSTORE_DATABASE; if it names the right file, restore a backup.`
  }
  if (reason === 'noPermission') return `${message} Run it as the user of the service.`
  if (reason === 'ioError') return `${message} Look at the log of the machine.`
  return message
}

type BackupFacts = {
  environment: Environment
  nowMs: number
  /** The last one that the store knows of. */
  last: StoreContents['lastBackup']
  /** The size of its file, or why it cannot be used. */
  file: { bytes: number } | { problem: string }
}

/** A daily backup, two hours late. */
const ageMaxMs = 26 * 3_600_000
/** The clocks of two machines may differ so much. */
const aheadMaxMs = 60_000

/** Whether the last backup of a store is there, can be read and is recent. */
export const backupChecks: Checks<BackupFacts> = {
  lastBackup({ environment, nowMs, last, file }) {
    const isProduction = environment === 'production'
    if (last === undefined) {
      const message = 'No backup of this store was made with petstore backup.'
      return isProduction
        ? { warning: `${message} Make one daily: docs/guides/backup.md has a timer.` }
        : { ok: message }
    }
    const ageMs = nowMs - last.madeAtMs
    const message = `The last backup is ${duration(Math.max(ageMs, 0))} old: ${last.file}`
    if ('problem' in file) return { warning: `${message}. ${file.problem}` }
    if (-ageMs > aheadMaxMs) {
      return {
        warning: `The last backup has a time that is ${duration(-ageMs)} ahead: ${last.file}. The clock was ahead when it was made. Run petstore backup.`,
      }
    }
    if (ageMs <= ageMaxMs || !isProduction) return { ok: `${message}, ${size(file.bytes)}.` }
    return {
      warning: `${message}. Find out why the timer has not run, and run petstore backup.`,
    }
  },
}

/** Reads the manifest of a backup only; `petstore backup --check` reads every row. */
export function describeBackup(storage: Storage, file: string): BackupFacts['file'] {
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
