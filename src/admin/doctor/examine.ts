import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Clock, Random } from '../../context/context.ts'
import { placeOf } from '../../db/files/place-of.ts'
import { isInMemory } from '../../db/open.ts'
import { lookAtFile } from '../../db/sqlite/look.ts'
import type { Storage } from '../../db/storage.ts'
import { sleep } from '../../timers.ts'
import { diskChecks, measureDisk } from './disk.ts'
import { type Finding, findingsOf } from './finding.ts'
import { type ProgramFacts, programChecks, settingsChecks } from './machine.ts'
import { selectContents } from './queries.ts'
import { backupChecks, describeBackup, type StoreFacts, storeChecks } from './store.ts'

/** What is examined. */
type Subject = {
  config: Config
  /** The warnings of the settings. */
  warnings: readonly string[]
  storage: Storage
  versions: ProgramFacts['versions']
  clock: Clock
  random: Random
}

/** The findings of related checks; `isLate` where they did not end in time. */
export type Group = { name: string; findings: readonly Finding[]; isLate?: true }

/** Examines everything that the service needs. Changes nothing. */
export async function* examine(subject: Subject): AsyncGenerator<Group> {
  const { config, versions } = subject
  const { connectionsMax, database } = config
  yield await groupOf('program', () => findingsOf(programChecks, { versions, connectionsMax }))
  yield await groupOf('settings', () => findingsOf(settingsChecks, subject))
  if (isInMemory(database)) return
  if (database.engine === 'sqlite') yield* examineFile(subject, placeOf(database.path))
  else yield* examineServer(subject, database)
}

/** Each group may rely on what those before have found. */
async function* examineFile(subject: Subject, path: string): AsyncGenerator<Group> {
  const { storage, clock, random } = subject
  const { environment } = subject.config
  const folder = dirname(path)
  const nowMs = clock()
  let store: StoreFacts | undefined
  yield await groupOf('disk', async () =>
    existsSync(folder)
      ? findingsOf(diskChecks, await measureDisk({ environment, folder, path }, random))
      : [],
  )
  yield await groupOf('store', async () => {
    const read = selectContents(nowMs)
    store = { ...(await lookAtFile(path, { storage, read })), environment }
    return findingsOf(storeChecks, store)
  })
  yield await groupOf('backup', () => examineBackup(storage, store, nowMs))
}

async function* examineServer(
  { config: { environment, processes }, storage, clock }: Subject,
  database: Config['database'] & { engine: 'postgres' },
): AsyncGenerator<Group> {
  // PostgreSQL's client is loaded only where it is used.
  const { lookAtDatabase } = await import('../../db/postgres/look.ts')
  const { connectionsChecks, hostChecks, serverChecks } = await import('./server.ts')
  const nowMs = clock()
  let seen: Awaited<ReturnType<typeof lookAtDatabase<StoreFacts['contents']>>>['primary']
  yield await groupOf('hosts', async () => {
    const read = selectContents(nowMs)
    const { hosts, primary } = await lookAtDatabase(database, { storage, read })
    seen = primary
    const link = primary && { ...primary.link, host: primary.name }
    return findingsOf(hostChecks, { hosts, link })
  })
  const { server } = seen ?? {}
  const store = seen && { ...seen.store, environment }
  if (server) yield await groupOf('server', () => findingsOf(serverChecks, server))
  if (server)
    yield await groupOf('connections', () =>
      findingsOf(connectionsChecks, { ...server, processes }),
    )
  if (store) yield await groupOf('store', () => findingsOf(storeChecks, store))
  yield await groupOf('backup', () => examineBackup(storage, store, nowMs))
}

/** Nothing where the store cannot be read. */
function examineBackup(storage: Storage, store: StoreFacts | undefined, nowMs: number): Finding[] {
  if (!store?.contents) return []
  const last = store.contents.lastBackup
  const file = last ? describeBackup(storage, last.file) : { bytes: 0 }
  return findingsOf(backupChecks, { environment: store.environment, nowMs, last, file })
}

/** How long a group may take: a disk or a network that hangs must not stop the other groups. */
const groupMaxMs = 15_000

/** A group that fails or takes too long is a finding itself. */
export async function groupOf(
  name: string,
  examineAll: () => Promise<readonly Finding[]> | readonly Finding[],
  maxMs = groupMaxMs,
): Promise<Group> {
  const failed = (message: string) => [{ check: name, level: 'error', message } as const]
  const ended = new AbortController()
  const late = sleep(maxMs, 'late' as const, { signal: ended.signal })
  late.catch(() => undefined)
  try {
    const findings = await Promise.race([examineAll(), late])
    if (findings !== 'late') return { name, findings }
    const sentence = `This did not end within ${maxMs / 1_000} s: a disk or a network hangs. Look at the log of the machine.`
    return { name, findings: failed(sentence), isLate: true }
  } catch (error) {
    return { name, findings: failed(`This could not be examined: ${(error as Error).message}.`) }
  } finally {
    ended.abort()
  }
}
