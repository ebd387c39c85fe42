import type { Db } from '../../db/db.ts'
import { timers } from '../../timers.ts'
import type { Instruments } from './instruments.ts'

/** A scrape leaves out what takes longer to read. */
const readMaxMs = 1_000

/** What a scrape reads of a service. */
type Service = {
  db: Pick<Db, 'load' | 'sizes'>
  connections: { count(): number; max: number }
  streams: { count(): number; max: number }
  /** When the store was last backed up, in milliseconds since 1970; 0 where it never was. */
  lastBackupMs(): Promise<number>
  /** How long the oldest due delivery of a webhook has been due, in milliseconds; how many were deleted undelivered. */
  backlog(): Promise<{ oldestDueMs: number; pruned: number }>
}

/** Measures the present state of a service at each scrape. */
export function measureState({ state }: Instruments, service: Service): void {
  const { db, connections, streams } = service
  const sizes = bounded(() => db.sizes())
  const lastBackup = bounded(async () => (await service.lastBackupMs()) / 1_000)
  const backlog = bounded(service.backlog)

  function lengths() {
    const { writes, scans, pool } = db.load()
    return { writes: writes.length, scans: scans.length, connections: pool?.waiting }
  }
  function ages() {
    const { writes, scans } = db.load()
    return { writes: writes.oldestMs / 1_000, scans: scans.oldestMs / 1_000 }
  }
  function pool() {
    const { open, idle } = db.load().pool ?? {}
    return { used: open === undefined ? undefined : open - (idle ?? 0), idle }
  }

  state('http_connections', 'Open connections of clients.', connections.count)
  state('http_connections_max', 'PETSTORE_CONNECTIONS_MAX.', () => connections.max)
  state('streams', 'Open streams of events.', streams.count)
  state('streams_max', 'PETSTORE_STREAMS_MAX.', () => streams.max)
  state('queue_length', 'Work that waits for the database, by queue.', lengths, 'queue')
  state('queue_oldest_seconds', 'How long the oldest work has waited.', ages, 'queue')
  state('postgres_connections', 'Connections to PostgreSQL, by state.', pool, 'state')
  state(
    'postgres_connections_max',
    'The most connections to PostgreSQL.',
    () => db.load().pool?.max,
  )
  state('database_size_bytes', 'Size of the database.', async () => (await sizes())?.database)
  state(
    'database_log_size_bytes',
    "Size of SQLite's write-ahead log.",
    async () => (await sizes())?.log,
  )
  state(
    'disk_free_bytes',
    'Free space on the disk of the database.',
    async () => (await sizes())?.free,
  )
  state(
    'last_backup_timestamp_seconds',
    'When the last backup was made, since 1970; 0 where there is none.',
    lastBackup,
  )
  state(
    'webhook_oldest_due_seconds',
    'How long the oldest due delivery of a webhook has been due; 0 where none is.',
    async () => ((await backlog())?.oldestDueMs ?? 0) / 1_000,
  )
  state(
    'webhook_deliveries_pruned',
    'Deliveries that were deleted before they succeeded, since the store keeps PETSTORE_DELIVERIES_MAX at most.',
    async () => (await backlog())?.pruned,
  )
}

/** Reads for at most `readMaxMs`; undefined where that fails or takes longer. A read that still runs is not repeated. */
function bounded<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let running: Promise<T | undefined> | undefined
  return () => {
    running ??= read()
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = timers.setTimeout(resolve, readMaxMs, undefined)
    return Promise.race([running, late]).finally(() => timers.clearTimeout(timer))
  }
}
