import { selectContents } from '../admin/seed/queries.ts'
import type { Config } from '../config/config.ts'
import { ExitError } from '../config/exit-error.ts'
import type { Context } from '../context/context.ts'
import { listWords } from '../contract/list-words.ts'
import { ServiceError } from '../contract/service-error.ts'
import { isInMemory } from '../db/open.ts'
import { withOrigin } from '../db/opening/with-origin.ts'
import { selectPaused } from '../features/webhooks/queries.ts'
import type { DrainOptions } from '../http/protocol/drain.ts'
import type { Log, LogStream } from '../telemetry/log.ts'
import type { ReadMetrics } from '../telemetry/metrics/merge-metrics.ts'
import type { Fixture } from '../test-bench/fixture.ts'
import { sleep } from '../timers.ts'
import { type App, createApp } from './app.ts'
import { explainListening, portAdvice } from './explain-listening.ts'
import { type FirstKey, provideFirstKey } from './first-key.ts'
import type { ServedMetrics } from './listen-for-metrics.ts'

/** How long after the drain requests may still run; then they are cut off. */
const cutOffAfterDrainMs = 7_500
/** The longest that a stop takes after the drain. */
const stopLimitMs = 9_000

export type ServiceOptions = {
  config: Config
  /** The time of the store's clock at the start; the time of day when absent. */
  startMs?: number | undefined
  firstId?: bigint | undefined
  /** How many demo pets to add, to an empty store alone, before the service is ready. */
  seedCount?: number | undefined
  /** The contents of a store in memory. */
  fixture?: Fixture | undefined
  /** Whether a store in memory refuses unknown parameters and members unless a request says otherwise. */
  isStrict?: boolean | undefined
  logStream: LogStream
  /** Whether a first key may be shown: to a person, or in the line that a program reads. */
  showsKey: boolean
  /** The descriptor of a bound socket that other processes listen on too; a supervisor reads the metrics of all. */
  sharedSocket?: number | undefined
  onLost(reason: string): void
}

type StopOptions = { isReplaced: boolean }

/** A service that listens. */
export type RunningService = {
  baseUrl: string
  /** Scheme, address and port that it listens on. */
  origin: string
  /** Where metrics are served; undefined where they are not. */
  metricsUrl: string | undefined
  /** Where a supervisor reads the metrics. */
  readMetrics: (() => Promise<ReadMetrics>) | undefined
  log: Log
  firstKey: FirstKey | undefined
  /**
   * Serves during the drain, then closes all connections and the store within 9 s. A second call ends the drain
   * immediately. Where the service `isReplaced`, other processes accept connections from now on.
   */
  stop(options?: StopOptions): Promise<void>
  /** From now on the service does not keep the process from ending. */
  unref(): void
}

const pausedSentence =
  'Webhooks are paused, since this store was restored or recovered. To send events again: petstore webhooks resume.'

/** Opens the store, listens, and provides the first key of a new store. Throws `ExitError`, `OpenError`. */
export async function startService({
  config,
  startMs,
  firstId,
  seedCount,
  fixture,
  isStrict = false,
  logStream,
  showsKey,
  sharedSocket,
  onLost,
}: ServiceOptions): Promise<RunningService> {
  const { metricsAddress } = config
  const metrics = metricsAddress && (await import('./metrics.ts')).openMetrics(config)
  const traces =
    config.traces &&
    (await import('../telemetry/traces/traces.ts')).createTraces(config, config.traces)
  const app = await createApp({
    config,
    observers: [...(metrics?.observers ?? []), ...(traces ? [traces.observer] : [])],
    time: { startMs },
    firstId,
    testBench:
      isInMemory(config.database) && config.environment !== 'production' ? { isStrict } : undefined,
    logStream,
    onLost,
  })
  let served: ServedMetrics | undefined
  const close = async () => {
    await app.close()
    served?.close()
    await traces?.stop()
  }
  traces?.start((sentence) => app.log.warn(sentence))
  const { db, clock } = app.context
  const context = { ...app.context, db: withOrigin(db, { type: 'command', name: 'serve' }, clock) }
  try {
    await db.ready?.()
    if (app.testBench) await app.testBench.fill({ seedCount, fixture }).catch(refuseFixture)
    else if (seedCount !== undefined) await seedWhereEmpty(context, app.log, seedCount)
    // Jobs that are overdue run before the first request.
    await app.startJobs()
    const paused = await db.read(selectPaused, undefined).catch(() => 0)
    if (paused > 0) app.log.warn({ webhooks: paused }, pausedSentence)
    // Listening comes before the first key: a start that fails on its address must not use up a key that is shown once.
    const origin = await listen(app, config, sharedSocket)
    const exposition = metrics?.expose(app)
    if (exposition && metricsAddress && sharedSocket === undefined) {
      const { listenForMetrics } = await import('./listen-for-metrics.ts')
      served = await listenForMetrics(exposition, metricsAddress, app.log)
    }
    const firstKey = await provideFirstKey(context, config, {
      isEphemeral: isInMemory(config.database),
      isData: showsKey,
    })
    if (firstKey) app.testBench?.openWith(firstKey.key)
    return {
      baseUrl: app.baseUrl(),
      origin,
      metricsUrl: served?.url,
      readMetrics: exposition?.read,
      log: app.log,
      firstKey,
      stop: stopOnce({ ...app, close }, config),
      unref: () => unref(app),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A service that is started again with the same options goes on with its data. */
async function seedWhereEmpty(context: Pick<Context, 'db' | 'clock'>, log: Log, count: number) {
  const contents = await context.db.read(selectContents, undefined)
  if (contents.length === 0) {
    const { seedStore } = await import('../admin/seed/seed-store.ts')
    return void (await seedStore(context, { count }))
  }
  const held = listWords(contents)
  log.info(`Demo pets are added to an empty store alone; this one has ${held}.`)
}

/** A fixture that the store refuses is a mistake of its author. */
function refuseFixture(error: unknown): never {
  throw error instanceof ServiceError ? new ExitError('usage', error.message, error) : error
}

async function listen(
  { server }: App,
  { host, port }: Config,
  fd: number | undefined,
): Promise<string> {
  // Without a host Fastify would also listen on the other address of localhost.
  const place = fd === undefined ? { host, port } : { fd, host: '' }
  return server.listen(place).catch((error) => {
    throw explainListening(error, { host, port, setting: 'PETSTORE_HOST', advice: portAdvice })
  })
}

function unref({ server: { server } }: App) {
  server.unref()
  server.on('connection', (socket) => socket.unref())
}

/** The first call stops the service; further calls end the drain and wait for the same stop. */
function stopOnce(app: App, { drainMs }: Config): RunningService['stop'] {
  const hurry = new AbortController()
  let stopped: Promise<void> | undefined
  return ({ isReplaced } = { isReplaced: false }) => {
    if (stopped) hurry.abort()
    stopped ??= stop(app, { drainMs, isReplaced, hurry: hurry.signal })
    return stopped
  }
}

async function stop({ connections, close }: App, options: Omit<DrainOptions, 'cutOffMs'>) {
  const { drainMs } = options
  // After this time the process exits even if the database is still busy.
  const limit = sleep(drainMs + stopLimitMs, undefined, { ref: false })
  const stopping = connections
    .drain({ ...options, cutOffMs: drainMs + cutOffAfterDrainMs })
    .then(close)
  await Promise.race([stopping, limit])
}
