import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../context/context.ts'
import { OpenError } from '../../db/errors.ts'
import { placeOf } from '../../db/files/place-of.ts'
import { isInMemory, openDbAsItIs } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import type { Storage } from '../../db/storage.ts'
import { refuseForeign } from '../../features/environment/claim-database.ts'
import { selectFailures } from '../../features/webhooks/deliver/queries.ts'
import { openManifest } from '../backup/open-backup.ts'
import { selectLastBackup } from '../backup/queries.ts'
import { diskChecks, measureDisk } from './disk.ts'
import { type Finding, findingsOf } from './finding.ts'
import { selectServer } from './queries.ts'
import { recordsChecks } from './records.ts'
import { settingsChecks } from './settings.ts'

type Subject = {
  config: Config
  warnings: readonly string[]
  storage: Storage
  clock: Clock
}

/** The findings of related checks. */
export type Group = { name: string; findings: readonly Finding[] }

/** Examines everything that the service needs. Changes nothing. */
export async function* examine(subject: Subject): AsyncGenerator<Group> {
  const { database } = subject.config
  yield { name: 'settings', findings: findingsOf(settingsChecks, subject) }
  if (isInMemory(database)) return
  if (database.engine === 'sqlite' && existsSync(dirname(placeOf(database.path)))) {
    const disk = await measureDisk(placeOf(database.path))
    yield { name: 'disk', findings: findingsOf(diskChecks, disk) }
  }
  const warnings: Finding[] = []
  const found = (level: Finding['level'], message: string) => ({ check: 'store', level, message })
  try {
    yield* examineStore(subject, (sentence) => warnings.push(found('warning', sentence)))
    const sound = found('ok', `${database.name} can be served.`)
    yield { name: 'store', findings: [sound, ...warnings] }
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    yield { name: 'store', findings: [found('error', error.message), ...warnings] }
  }
}

/** Opens the store as `verify` does, and checks its schema as a start does. Throws OpenError. */
async function* examineStore(
  { config: { database, environment, processes }, storage, clock }: Subject,
  warn: (sentence: string) => void,
): AsyncGenerator<Group> {
  const options = { storage, warn, isReadOnly: true, enforcesSchema: true }
  await using db = closing(await openDbAsItIs(database, options))
  await refuseForeign(db, database.name, environment)
  if (database.engine === 'postgres') {
    // What knows PostgreSQL is loaded only where it is used.
    const { readAddress } = await import('../../db/postgres/address.ts')
    const { serverChecks } = await import('./server.ts')
    const row = await db.read(selectServer, undefined)
    const server = { ...row, address: readAddress(database.text), processes }
    const replication = (await db.replication?.()) ?? { primary: database.name, standbys: 0 }
    yield { name: 'server', findings: findingsOf(serverChecks, { ...server, replication }) }
  }
  const failures = await db.read(selectFailures, undefined)
  const last = await db.read(selectLastBackup, undefined)
  const open = (file: string) => openManifest(storage, file)
  const records = { ...failures, environment, nowMs: clock(), last, open }
  yield { name: 'records', findings: findingsOf(recordsChecks, records) }
}
