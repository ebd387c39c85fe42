import { Gauge, type Registry } from 'prom-client'
import type { Queue } from '../../db/batching/queue.ts'
import type { Db } from '../../db/db.ts'

/** A scrape leaves out what takes longer to read. */
const readMaxMs = 1_000

/** What a scrape reads of a service. */
export type Service = {
  db: Pick<Db, 'load' | 'sizes'>
  connections: { count(): number; max: number }
  streams: { count(): number; max: number }
  /** When the store was last backed up, in milliseconds since 1970; 0 where it never was. */
  lastBackupMs(): Promise<number>
  /** How long the oldest due delivery of a webhook has been due, in milliseconds; 0 where none is. */
  oldestDueMs(): Promise<number>
}

/** Returns what sets the gauges of a service to its present state. */
export function measureState(registers: Registry[], service: Service): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `petstore_${name}`, help, labelNames, registers })
  const connections = gauge('http_connections', 'Open connections of clients.')
  gauge('http_connections_max', 'PETSTORE_CONNECTIONS_MAX.').set(service.connections.max)
  const streams = gauge('streams', 'Open streams of events.')
  gauge('streams_max', 'PETSTORE_STREAMS_MAX.').set(service.streams.max)
  const lengths = gauge('queue_length', 'Work that waits for the database, by queue.', 'queue')
  const ages = gauge('queue_oldest_seconds', 'How long the oldest work has waited.', 'queue')
  const pool = gauge('postgres_connections', 'Connections to PostgreSQL, by state.', 'state')
  const poolMax = gauge('postgres_connections_max', 'The most connections to PostgreSQL.')
  const database = gauge('database_size_bytes', 'Size of the database.')
  const log = gauge('database_log_size_bytes', "Size of SQLite's write-ahead log.")
  const free = gauge('disk_free_bytes', 'Free space on the disk of the database.')
  const lastBackup = gauge(
    'last_backup_timestamp_seconds',
    'When the last backup was made, since 1970; 0 where there is none.',
  )
  const oldestDue = gauge(
    'webhook_oldest_due_seconds',
    'How long the oldest due delivery of a webhook has been due; 0 where none is.',
  )
  const readSizes = bounded(() => service.db.sizes())
  const readLastBackup = bounded(service.lastBackupMs)
  const readOldestDue = bounded(service.oldestDueMs)

  function setLoad() {
    const { writes, scans, pool: connected } = service.db.load()
    setQueue('writes', writes)
    setQueue('scans', scans)
    if (!connected) return poolMax.remove()
    const { open, idle, max, waiting } = connected
    lengths.set({ queue: 'connections' }, waiting)
    pool.set({ state: 'used' }, open - idle)
    pool.set({ state: 'idle' }, idle)
    poolMax.set(max)
  }

  function setQueue(queue: string, { length, oldestMs }: Queue) {
    lengths.set({ queue }, length)
    ages.set({ queue }, oldestMs / 1_000)
  }

  return async () => {
    const reading = [readSizes(), readLastBackup(), readOldestDue()] as const
    const [sizes, lastBackupMs, oldestDueMs] = await Promise.all(reading)
    connections.set(service.connections.count())
    streams.set(service.streams.count())
    setLoad()
    setKnown(database, sizes?.database)
    setKnown(log, sizes?.log)
    setKnown(free, sizes?.free)
    setKnown(lastBackup, inSeconds(lastBackupMs))
    setKnown(oldestDue, inSeconds(oldestDueMs))
  }
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000
}

/** What is not known has no series. */
function setKnown(gauge: Gauge, value: number | undefined) {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
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
    const timer = setTimeout(resolve, readMaxMs, undefined)
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}
