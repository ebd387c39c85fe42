import type { Config } from '../config/config.ts'
import { buildsConsole } from '../console/builds-console.ts'
import { registerConsole } from '../console/register-console.ts'
import {
  type Actor,
  type ClockOptions,
  type Context,
  createClock,
  systemRandom,
} from '../context/context.ts'
import { isInMemory, openDb } from '../db/open.ts'
import type { ChangeCounts } from '../db/run-write.ts'
import { createSpools } from '../db/spool/spool.ts'
import { createCallCounter } from '../features/deprecations/count-calls.ts'
import { claimDatabase } from '../features/environment/claim-database.ts'
import { eventTypes } from '../features/event-types.ts'
import { createFeed } from '../features/events/feed.ts'
import { type KeyCache, openKeyCache } from '../features/keys/key-cache.ts'
import { scopes } from '../features/scopes.ts'
import type { Resolve } from '../features/webhooks/deliver/resolver.ts'
import {
  type RunningDeliveries,
  startDeliveries,
} from '../features/webhooks/deliver/start-deliveries.ts'
import { createTargets } from '../features/webhooks/deliver/targets.ts'
import type { Implementation } from '../http/implement.ts'
import { type Observer, observeCommit, reportTo } from '../http/observe.ts'
import { describeFewFiles } from '../http/protocol/open-files.ts'
import { compileIsShown } from '../http/request/shown-values.ts'
import type { BaseUrlOf } from '../http/response/respond.ts'
import { createServer } from '../http/server.ts'
import { createStoredResults } from '../http/stored-results.ts'
import { assembleDocument } from '../openapi/document.ts'
import { getDocumentOperation, implementDocument } from '../openapi/get-document.ts'
import { implementSecurityText } from '../openapi/get-security-text.ts'
import { assembleWorkflows, getWorkflowsOperation } from '../openapi/get-workflows.ts'
import { createPages } from '../pages/pages.ts'
import { createAccessLog } from '../telemetry/access-log.ts'
import { createLog, type LogStream } from '../telemetry/log.ts'
import { createSlowRequestLog } from '../telemetry/slow-requests.ts'
import { declared } from './declared.ts'
import { type RunningJobs, startJobs } from './jobs.ts'
import { describeNewStore } from './new-store.ts'
import { contract, operations } from './operations.ts'
import { isServedAt, originOf } from './served-addresses.ts'
import { storage } from './storage.ts'

const dayMs = 24 * 3_600_000

type AppOptions = {
  config: Config
  time?: Pick<ClockOptions, 'startMs' | 'sources'> | undefined
  /** The first id of each table but `keys`; for tests. */
  firstId?: bigint | undefined
  /** How tests control the store; only where it is in memory. */
  testBench?: { isStrict: boolean } | undefined
  logStream: LogStream
  /** What sees the requests besides the log. */
  observers?: readonly Observer[] | undefined
  /** Finds the addresses of a name, for tests. */
  resolve?: Resolve
  /** Called once when the store has failed permanently; the process should exit. */
  onLost?(reason: string): void
}

/** A wired service that does not listen yet. */
export type App = Awaited<ReturnType<typeof createApp>>

/** Wires the service; nothing else does. Throws `OpenError`, `ExitError`. */
export async function createApp({
  config,
  time,
  firstId,
  testBench: testing,
  logStream,
  observers = [],
  resolve,
  onLost,
}: AppOptions) {
  const log = createLog(config, logStream)
  const warn = (sentence: string) => log.warn(sentence)
  const isShown = compileIsShown(contract)
  const deprecatedCalls = createCallCounter()
  const subscribed: Observer[] = [
    {
      ended({ operation, caller }) {
        if (operation?.lifecycle.deprecation && caller)
          deprecatedCalls.add(operation.operationId, caller.keyId)
      },
    },
    createAccessLog({ config, log, stream: logStream, isShown }),
    ...(config.slowRequestMs > 0 ? [createSlowRequestLog({ config, log, isShown })] : []),
    ...observers,
  ]
  const document = () => assembleDocument(contract, eventTypes, servers())
  const pages = createPages({
    store: {
      environment: config.environment,
      isInMemory: isInMemory(config.database),
      hasConsole: config.console === 'on',
    },
    baseUrlOf: (request) => baseUrlOf(request),
    document,
    operations: contract,
  })
  const { app: server, connections } = createServer({
    config: testing ? openToPages(config) : config,
    random: systemRandom,
    observers: subscribed,
    warn,
    pages,
  })
  const bench = testing && (await import('./test-bench.ts'))
  const snapshots = bench?.withSnapshots(storage)
  let newStore: string | undefined
  let deliveries: RunningDeliveries | undefined
  const db = await openDb(config.database, {
    storage: snapshots?.storage ?? storage,
    storageUrl: declared.storageUrl,
    ...{ random: systemRandom, firstId, processes: config.processes },
    onCreate() {
      newStore = describeNewStore(config)
      if (newStore !== undefined) warn(newStore)
    },
    warn,
    onCommit: {
      committed(batch) {
        observeCommit(batch)
        const types = [...batch.changed.keys()]
        if (types.some((type) => type.startsWith('webhook.'))) deliveries?.refresh()
        return refreshKeys(batch.changed)
      },
      reported: reportTo(subscribed, 'committed'),
    },
    onLost(reason) {
      log.error({ reason }, 'The store has failed; the process exits.')
      onLost?.(reason)
    },
  })
  const fewFiles = describeFewFiles(config.connectionsMax)
  if (fewFiles !== undefined) warn(fewFiles)
  const systemClock = createClock({
    ...time,
    onSetBack: (ms) =>
      log.warn(
        { ms },
        'The system clock was set back. The clock of this process does not go back; restart it to follow.',
      ),
  })
  const testClock = bench?.createTestClock(systemClock)
  const clock = testClock?.now ?? systemClock
  const feed = createFeed({
    ...{ db, clock, eventTypes, random: systemRandom, streamsMax: config.streamsMax },
    onRead: reportTo(subscribed, 'eventRead'),
  })
  const targets = createTargets({
    hosts: config.webhookHosts,
    resolve,
    isOwn: (url, addresses) => isServedAt(server, config, url, addresses),
  })
  const context = {
    feed,
    targets,
    actorOf: (keyId: bigint): Actor | undefined => keys.findActor(keyId),
    ...{ db, clock, random: systemRandom },
    environment: config.environment,
    scopes,
    eventTypes,
    openSpool: createSpools({ ...config, random: systemRandom }),
    ...{ isStopping: connections.isDraining, isReplaced: connections.isReplaced },
    rateLimit: { perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst },
    orderHoldMs: config.orderHoldMs,
    importLimits: { rowsMax: config.importRowsMax, bytesMax: config.importBytesMax },
    logLimits: { ageMaxMs: config.eventsKeepDays * dayMs, max: config.eventsMax },
  }
  const keys: KeyCache = await openKeys(context, config).catch(async (error) => {
    // An open database keeps the process alive, and its lock on the file held.
    await db.close()
    throw error
  })
  /** Changes of keys apply before the request that made them gets its response. */
  async function refreshKeys(changed: ChangeCounts) {
    if (![...changed.keys()].some((type) => type.startsWith('key.'))) return
    await keys
      .refresh()
      .catch((error) =>
        log.warn(
          { err: error },
          'A change of keys could not be read back; it takes effect within a second.',
        ),
      )
  }
  let jobs: RunningJobs | undefined
  const baseUrl = () => config.publicUrl ?? `${originOf(server, config)}/v1`
  const servers = () => ({
    environment: config.environment,
    baseUrl: baseUrl(),
    siblingUrl: config.siblingUrl,
  })
  const baseUrlOf: BaseUrlOf = ({ headers }) =>
    config.publicUrl ?? (headers.host ? `http://${headers.host}/v1` : baseUrl())

  const testBench =
    bench && testClock && snapshots
      ? bench.addTestBench(server, {
          context,
          targets,
          clock: testClock,
          config,
          snapshotWrites: snapshots.writes,
          firstId,
          isStrict: testing.isStrict,
          baseUrl,
          stopping: connections.stopping,
        })
      : undefined
  const results = createStoredResults(context, config.idempotencyKeysMax)
  const kit = { prefix: '/v1', context, keys, results, baseUrlOf, stopping: connections.stopping }
  const serve = ({ compile }: Implementation) => {
    for (const route of compile(kit)) server.route(route)
  }
  for (const operation of operations) serve(operation)
  serve(implementDocument(getDocumentOperation, document))
  serve(implementDocument(getWorkflowsOperation, assembleWorkflows))
  serve(implementSecurityText(config))
  if (config.console === 'on') {
    const { environment } = config
    const build = async () =>
      (await import('../console/start-console-build.ts')).startConsoleBuild(log)
    registerConsole(server, { environment, build: buildsConsole(config) ? build : undefined })
  }

  return {
    server,
    connections,
    log,
    context,
    keys,
    testBench,
    /** Whether a production store was created at a place that a setting names. */
    isNewStore: newStore !== undefined,
    /** The base address as this process knows it, ending in /v1. */
    baseUrl,
    /** Serves a further operation; for tests, before the first request. */
    serve,
    /** Runs the scheduled jobs once, then at their intervals. */
    async startJobs() {
      jobs = startJobs(context, {
        jobs: [...storage.jobs, deprecatedCalls.job],
        report: (job, err, retryAfterMs) =>
          log.warn({ job, err }, `Scheduled job failed; retrying in ${retryAfterMs / 1_000} s.`),
        reportProgress: (job, { done, of }) => log.info({ job }, `Done: ${done} of ${of} records.`),
      })
      // A job that fails does not prevent the start: another process may hold a row lock.
      await jobs.started
      deliveries = startDeliveries({
        context,
        targets,
        attempted: reportTo(subscribed, 'webhookAttempted'),
        report: (sentence, err) => log.warn(err === undefined ? {} : { err }, sentence),
      })
    },
    async close() {
      await server.close()
      await Promise.all([jobs?.stop(), deliveries?.stop()])
      await deprecatedCalls
        .store(db, clock())
        .catch((err) => log.warn({ err }, 'Calls of deprecated operations were not stored.'))
      await keys.close()
      await db.close()
    },
  }
}

/** Pages of all origins may use the store of a test. */
function openToPages(config: Config): Config {
  return config.corsOrigins.length > 0 ? config : { ...config, corsOrigins: ['*'] }
}

async function openKeys(context: Context, { database, environment }: Config): Promise<KeyCache> {
  await claimDatabase(context.db, database.name, environment)
  return openKeyCache(context)
}
