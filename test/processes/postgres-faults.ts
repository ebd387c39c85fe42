import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listAll, type Observed, readerOf, sendTraffic } from '../consistency/creates/clients.ts'
import {
  type Create,
  History,
  type Read,
  requirePassed,
  type SeenPet,
} from '../consistency/creates/history.ts'
import { requireEvents } from '../consistency/events.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { startFaultProxy } from './fault-proxy.ts'
import type { PostgresServer } from './postgres.ts'
import { type Service, startService } from './process.ts'

/** Two services on one database. */
export type Fleet = Observed & {
  services: readonly Service[]
  [Symbol.asyncDispose](): Promise<void>
}

const clients = 8
/** Traffic continues for this long after a recovery. */
const calmMs = 100
/** Twenty times what a recovery may take; hung sessions take 5 s of it. */
const recoveryMaxMs = 100_000

type FleetOptions = {
  /** The address of the database for the second service; for the first one too, unless given. */
  secondAddress?: string
  /** A key of this database, if it has one already. */
  key?: string
}

/** Starts two services, one after the other. */
export async function startFleet(
  address: string,
  { secondAddress = address, key }: FleetOptions = {},
): Promise<Fleet> {
  await using starting = new AsyncDisposableStack()
  const home = starting.use(mkdtempDisposableSync(join(tmpdir(), 'petstore-fleet-')))
  const keyFile = join(home.path, 'first-key')
  if (key !== undefined) writeFileSync(keyFile, key)
  const start = async (database: string) => {
    const env = {
      PETSTORE_DATABASE: database,
      PETSTORE_FIRST_KEY_FILE: keyFile,
      PETSTORE_PORT: '0',
      PETSTORE_LOG_LEVEL: 'error',
      PETSTORE_WEBHOOK_HOSTS: '127.0.0.1',
    }
    return starting.use(await startService({ env }))
  }
  const services = [await start(address), await start(secondAddress)] as const
  const history = new History()
  for (const { exited } of services) {
    exited.then(({ stderr }) => history.anomalies.push(`a service has ended: ${stderr}`))
  }
  const started = starting.move()
  return {
    services,
    baseUrls: services.map(({ baseUrl }) => baseUrl),
    key: services[0].key,
    history,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

export type ProxiedFleet = Awaited<ReturnType<typeof startProxiedFleet>>

/**
 * Starts two services on a new database of this server; the first connects through a proxy. Stops the server and what was
 * started when the rest fails to start.
 */
export async function startProxiedFleet(server: PostgresServer) {
  await using starting = new AsyncDisposableStack()
  starting.defer(() => server.stop())
  const proxy = await startFaultProxy(server.port)
  starting.defer(() => proxy.close())
  const address = await server.createDatabase()
  const throughProxy = address.replace(`:${server.port}/`, `:${proxy.port}/`)
  const fleet = await startFleet(throughProxy, { secondAddress: address })
  starting.use(fleet)
  const started = starting.move()
  return { proxy, fleet, address, throughProxy, stop: () => started.disposeAsync() }
}

/** A fault of the database: how often it happened, and when it ended. */
export type Fault = { times: number; overMs: number }

export type FaultReport = {
  acknowledged: number
  unknown: number
  refused: number
  reads: number
  /** From the end of the fault to the first create and the first read of the slowest service, sent since. */
  firstSuccessMs: number
  slowestAnswerMs: number
}

/**
 * Runs a fault under traffic, continues until every service has recovered, and checks the history and the events. Throws
 * unless the verdict is `passed`. `isQuiet`: nobody else changes the store.
 */
export async function runFault(
  fleet: Observed,
  seed: number,
  fault: (random: SeededRandom) => Promise<Fault>,
  { isQuiet = true } = {},
): Promise<FaultReport> {
  const random = new SeededRandom(seed)
  const sinceMs = performance.now()
  const stopping = new AbortController()
  const traffic = sendTraffic(fleet, { clients, random, signal: stopping.signal })
  let happened: Fault
  try {
    await untilWell(fleet, sinceMs)
    happened = await fault(random)
    await untilWell(fleet, happened.overMs)
    await sleep(calmMs)
  } finally {
    stopping.abort()
    await traffic
  }
  await check(fleet, happened, isQuiet).catch((error) => {
    throw new Error(`FAULT_SEED=${seed}: ${error.message}`, { cause: error })
  })
  return report(fleet, sinceMs, happened.overMs)
}

/** Resolves once every service has acknowledged a create and served a read that were sent since. */
export async function untilWell(fleet: Observed, sinceMs: number): Promise<void> {
  const { history } = fleet
  while (!Number.isFinite(firstSuccess(fleet, sinceMs))) {
    if (history.anomalies.length > 0) throw new Error(history.anomalies[0])
    if (performance.now() > sinceMs + recoveryMaxMs) {
      throw new Error(`no success within ${recoveryMaxMs} ms`)
    }
    await sleep(5)
  }
}

async function check(fleet: Observed, { times, overMs }: Fault, isQuiet: boolean): Promise<void> {
  let last: SeenPet[] = []
  for (const service of fleet.baseUrls.keys()) last = await listAll(fleet, service)
  const services = fleet.baseUrls.length
  requirePassed(fleet.history.check(last, { faults: times, services, sinceMs: overMs }))
  const { log } = fleet.history
  await requireEvents(readerOf(fleet, services - 1), log, fleet.history.asked(), { isQuiet })
}

function firstSuccess(
  { history: { creates, reads }, baseUrls }: Observed,
  sinceMs: number,
): number {
  const acknowledged = [...creates.values()].filter(({ outcome }) => outcome === 'acknowledged')
  const firstOf = (answered: readonly (Create | Read)[], service: number) =>
    Math.min(
      ...answered
        .filter((timed) => timed.service === service && timed.startMs > sinceMs)
        .map(({ endMs }) => endMs),
    )
  return Math.max(
    ...[...baseUrls.keys()].flatMap((service) => [
      firstOf(acknowledged, service),
      firstOf(reads, service),
    ]),
  )
}

function report(fleet: Observed, sinceMs: number, overMs: number): FaultReport {
  const { history } = fleet
  const answered = [...history.creates.values(), ...history.reads].filter(
    ({ startMs }) => startMs > sinceMs,
  )
  return {
    acknowledged: history.count('acknowledged', sinceMs),
    unknown: history.count('unknown', sinceMs),
    refused: history.count('refused', sinceMs),
    reads: history.reads.filter(({ startMs }) => startMs > sinceMs).length,
    firstSuccessMs: Math.round(firstSuccess(fleet, overMs) - overMs),
    slowestAnswerMs: Math.round(Math.max(...answered.map(({ startMs, endMs }) => endMs - startMs))),
  }
}
