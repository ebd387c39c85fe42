import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { describeFewFiles } from '../config/open-files.ts'
import { buildsConsole } from '../console/builds-console.ts'
import { registerConsole } from '../console/register-console.ts'
import type { ClockOptions, ServiceContext } from '../context/context.ts'
import { createClock, systemRandom } from '../context/context.ts'
import { createShare } from '../context/share.ts'
import { createSlices } from '../context/slices.ts'
import { isInMemory, openDb } from '../db/open.ts'
import { createSpools, spoolsMax } from '../db/spool/spool.ts'
import type { Storage } from '../db/storage.ts'
import { createCallCounter } from '../features/deprecations/count-calls.ts'
import { claimDatabase } from '../features/environment/claim-database.ts'
import { eventTypes } from '../features/event-types.ts'
import { createFeed } from '../features/events/feed.ts'
import { type KeyCache, openKeyCache } from '../features/keys/key-cache.ts'
import { scopes } from '../features/scopes.ts'
import type { Resolve } from '../features/webhooks/deliver/resolver.ts'
import { createTargets } from '../features/webhooks/deliver/targets.ts'
import type { Implementation } from '../http/implement.ts'
import { type Observer, observeCommit, reportTo } from '../http/observe.ts'
import { compileIsShown } from '../http/request/shown-values.ts'
import { type BaseUrlOf, sendInPieces } from '../http/response/respond.ts'
import { createServer } from '../http/server.ts'
import { createStoredResults } from '../http/stored-results.ts'
import { implementOwnDocument } from '../openapi/get-document.ts'
import { implementSecurityText } from '../openapi/get-security-text.ts'
import { getWorkflows } from '../openapi/get-workflows.ts'
import { createPages } from '../pages/pages.ts'
import { createAccessLog } from '../telemetry/access-log.ts'
import { createLog, type Log, type LogStream } from '../telemetry/log.ts'
import { createPassedOverLog } from '../telemetry/passed-over-log.ts'
import { createSlowRequestLog } from '../telemetry/slow-requests.ts'
import { createBackground } from './background.ts'
import { declared } from './declared.ts'
import { describeNewStore } from './new-store.ts'
import { contract, operations } from './operations.ts'
import { isServedAt, originOf } from './served-addresses.ts'
import { storage } from './storage.ts'

const dayMs = 24 * 3_600_000

/** How many uploads are received at a time: each is kept in memory, a few times over. */
const uploadsMax = 16

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
export async function createApp(options: AppOptions) {
  const { config, time, firstId, testBench: testing, logStream, resolve } = options
  const log = createLog(config, logStream)
  const deprecatedCalls = createCallCounter()
  const observers = [
    countingIn(deprecatedCalls),
    ...observersThatLog(options, log),
    ...(options.observers ?? []),
  ]
  // Loaded on demand: a service starts as fast as without its document.
  const document = async () =>
    (await import('../openapi/document.ts')).assembleDocument(contract, eventTypes, servers())
  const pages = createPages({
    store: storeOf(config),
    baseUrlOf: (request) => baseUrlOf(request),
    document,
    operations: contract,
  })
  const { app: server, connections } = createServer({
    config: testing ? openToPages(config) : config,
    random: systemRandom,
    observers,
    warn: (sentence) => log.warn(sentence),
    pages,
  })
  const { baseUrl, baseUrlOf, servers } = addressesOf(server, config)
  const bench = testing && (await import('./test-bench.ts')).prepareTestBench(testing)

  const db = await openStore(options, {
    storage: bench?.storage ?? storage,
    log,
    observers,
    /** Changes of keys apply before the request that made them gets its response. */
    async follow(changed) {
      const isChanged = (record: string) => changed.some((type) => type.startsWith(`${record}.`))
      if (isChanged('webhook') || isChanged('key')) background.forgetWebhooks()
      if (isChanged('key')) await keys.refresh().catch((err) => log.warn({ err }, keysUnread))
    },
  })
  const systemClock = createClock({ ...time, onSetBack: (ms) => log.warn({ ms }, clockSetBack) })
  const clock = bench?.control(systemClock) ?? systemClock
  const { streamsMax } = config
  const takeSlice = createSlices()
  const passOver = createPassedOverLog(log)
  const feed = createFeed({
    db,
    clock,
    eventTypes,
    random: systemRandom,
    streamsMax,
    takeSlice,
    passOver,
    onRead: reportTo(observers, 'eventRead'),
  })
  const targets = createTargets({
    hosts: config.webhookHosts,
    resolve,
    isOwn: (url, addresses) => isServedAt(server, config, url, addresses),
  })
  const context: ServiceContext = {
    db,
    clock,
    random: systemRandom,
    feed,
    targets,
    scopes,
    eventTypes,
    environment: config.environment,
    openSpool: createSpools({ ...config, random: systemRandom }),
    passOver,
    tables: storage.tables.map(({ name }) => name),
    isStopping: connections.isDraining,
    isReplaced: connections.isReplaced,
    ...limitsOf(config),
  }
  const keys: KeyCache = await claimDatabase(db, config.database.name, config.environment)
    .then(() => openKeyCache(context))
    .catch(async (error) => {
      // An open database keeps the process alive, and its lock on the file held.
      await db.close()
      throw error
    })
  const background = createBackground(context, { targets, log, observers, deprecatedCalls })

  const { stopping, queue } = connections
  const shares = {
    streams: createShare(streamsMax),
    files: createShare(spoolsMax),
    uploads: createShare(uploadsMax),
  }
  const sharing = { stopping, queue, shares, takeSlice }
  const testBench = bench?.addTo(server, { context, targets, firstId, baseUrl, ...sharing })
  // Behind the test bench, which replaces whole bodies.
  server.addHook('onSend', sendInPieces)
  const results = createStoredResults(context, {
    ofKey: { count: config.idempotencyKeysMax, bytes: config.idempotencyBytesMax },
    inAll: { count: config.idempotencyKeysTotalMax, bytes: config.idempotencyBytesTotalMax },
  })
  const kit = { prefix: '/v1', context, keys, results, baseUrlOf, ...sharing }
  const serve = ({ compile }: Implementation) => {
    for (const route of compile(kit)) server.route(route)
  }
  for (const operation of operations) serve(operation)
  serve(implementOwnDocument(document))
  serve(getWorkflows)
  serve(implementSecurityText(config))
  if (config.console === 'on') serveConsole(server, config, log)

  return {
    server,
    connections,
    log,
    context,
    keys,
    testBench,
    /** The base address as this process knows it, ending in /v1. */
    baseUrl,
    /** Serves a further operation; for tests, before the first request. */
    serve,
    /** Runs the scheduled jobs once, then at their intervals. */
    startJobs: background.start,
    async close() {
      await server.close()
      await background.stop()
      await keys.close()
      await db.close()
    },
  }
}

const keysUnread = 'A change of keys could not be read back; it takes effect within a second.'
const clockSetBack =
  'The system clock was set back. The clock of this process does not go back; restart it to follow.'

function countingIn(deprecatedCalls: ReturnType<typeof createCallCounter>): Observer {
  return {
    ended({ operation, caller }) {
      if (operation?.lifecycle.deprecation && caller)
        deprecatedCalls.add(operation.operationId, caller.keyId)
    },
  }
}

/** The lines of requests, and of slow ones. */
function observersThatLog({ config, logStream: stream }: AppOptions, log: Log): Observer[] {
  const options = { config, log, isShown: compileIsShown(contract) }
  const accessLog = createAccessLog(options, stream)
  return config.slowRequestMs === 0 ? [accessLog] : [accessLog, createSlowRequestLog(options)]
}

/** Pages of all origins may use the store of a test. */
function openToPages(config: Config): Config {
  return config.corsOrigins.length > 0 ? config : { ...config, corsOrigins: ['*'] }
}

/** The addresses of a service, as settings, clients and this process know them. */
function addressesOf(server: FastifyInstance, config: Config) {
  const { environment, publicUrl, siblingUrl } = config
  const baseUrl = () => publicUrl ?? `${originOf(server, config)}/v1`
  const baseUrlOf: BaseUrlOf = ({ headers }) =>
    publicUrl ?? (headers.host ? `http://${headers.host}/v1` : baseUrl())
  return { baseUrl, baseUrlOf, servers: () => ({ environment, baseUrl: baseUrl(), siblingUrl }) }
}

type StoreOptions = {
  storage: Storage
  log: Log
  observers: readonly Observer[]
  /** Called after each commit with the types of its changes, before its responses. */
  follow(changed: readonly string[]): Promise<void>
}

async function openStore(
  { config, firstId, onLost }: AppOptions,
  { storage, log, observers, follow }: StoreOptions,
) {
  const warn = (sentence: string) => log.warn(sentence)
  const db = await openDb(config.database, {
    storage,
    storageUrl: declared.storageUrl,
    random: systemRandom,
    firstId,
    processes: config.processes,
    warn,
    onCreate() {
      const newStore = describeNewStore(config)
      if (newStore !== undefined) warn(newStore)
    },
    onCommit: {
      committed(batch) {
        observeCommit(batch)
        return follow([...batch.changed.keys()])
      },
      reported: reportTo(observers, 'committed'),
    },
    onLost(reason) {
      log.error({ reason }, 'The store has failed; the process exits.')
      onLost?.(reason)
    },
  })
  const fewFiles = describeFewFiles(config.connectionsMax)
  if (fewFiles !== undefined) warn(fewFiles)
  return db
}

function limitsOf(config: Config) {
  return {
    rateLimit: { perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst },
    orderHoldMs: config.orderHoldMs,
    logLimits: {
      ageMaxMs: config.eventsKeepDays * dayMs,
      max: config.eventsMax,
      deliveriesMax: config.deliveriesMax,
    },
  }
}

/** What the pages say of the store. */
function storeOf({ environment, database, console }: Config) {
  return { environment, isInMemory: isInMemory(database), hasConsole: console === 'on' }
}

/** Serves the console, which a working copy builds when it is first opened. */
function serveConsole(server: FastifyInstance, config: Config, log: Log): void {
  const { environment } = config
  const build = async () =>
    (await import('../console/start-console-build.ts')).startConsoleBuild(log)
  registerConsole(server, { environment, build: buildsConsole(config) ? build : undefined })
}
