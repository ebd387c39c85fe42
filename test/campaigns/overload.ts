/**
 * npm run test:overload -- [--engine sqlite|postgres] [--seconds 8] [--everything 100]
 * Creates and orders at more than the service can take: a closed loop with ten times the connections of the best rate, an
 * open loop at three times that rate, and a key with 256 connections beside nine with one each; then one key that sends every
 * operation at once, with the worst bodies, and reads nothing. Service and generator have a core each. Exits with 1 where less
 * than 90 % of the best rate is useful (2xx within a second), /health/live takes 250 ms, memory grows, one of the nine is
 * refused, or another key's page takes a second beside everything.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMiB } from '../../bench/harness/processor-time.ts'
import { median } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import {
  fail,
  onEngines,
  post,
  printTable,
  requireAtMost,
  type Subject,
  serveFilled,
  startBeside,
} from './measure.ts'
import { readOptions } from './options.ts'
import type { Load, Sent } from './send-load.ts'
import type { Watched } from './watch.ts'

const usefulMin = 0.9
const healthMaxMs = 250
const grownMaxMiB = 64
const pageMaxMs = 1_000
const rounds = 3
/** Below PETSTORE_CONNECTIONS_MAX, with the connections of others. */
const connectionsMax = 900

/** The service has the first. */
const otherCore = ['taskset', '-c', '1']

const { engine, seconds, everything } = readOptions({ engine: '', seconds: 8, everything: 100 })

await onEngines(engine, [], async (bench) => {
  const subject = await serveFilled(bench, (address) => fillPets(address, 1_000), {
    env: {
      PETSTORE_ACCESS_LOG: 'on',
      PETSTORE_CONNECTIONS_MAX: '20000',
      LOG: join(bench.directory, 'log'),
    },
    wrapper: ['taskset', '-c', '0', 'sh', '-c', 'exec "$0" "$@" 2>"$LOG"'],
  })
  const { key } = subject.service
  let busiest = 0
  const usefulRate = async (connections: number, more: Partial<Load> = {}) => {
    const { groups, busy } = await sendLoad(subject, [{ key, connections }], more)
    busiest = Math.max(busiest, busy)
    return (groups[0]?.useful ?? 0) / seconds
  }
  await usefulRate(64)
  let best = { connections: 0, rate: 0 }
  for (const connections of [16, 32, 64, 90]) {
    const rate = await usefulRate(connections)
    if (rate > best.rate) best = { connections, rate }
  }
  // What is compared is measured in turns: the service gets faster while it runs, and the machine is not always as fast.
  const rates: { best: number; closed: number; open: number }[] = []
  const memory: number[] = []
  const watch = await startWatch(subject)
  for (let round = 0; round < rounds; round++) {
    const rate = await usefulRate(best.connections)
    const closed = await usefulRate(best.connections * 10)
    const open = await usefulRate(connectionsMax, { ratePerSecond: rate * 3 })
    rates.push({ best: rate, closed, open })
    memory.push(memoryMiB(subject.service.pid))
  }
  const { healthMs: slowestMs } = await watch.end()
  const grownMiB = (memory.at(-1) ?? Number.NaN) - (memory[0] ?? Number.NaN)

  const names = Array.from({ length: 9 }, (_, index) => `${index} of nine`)
  const issued = await Promise.all(names.map((name) => post(subject.service, '/keys', { name })))
  const nine = issued.map((one) => ({ key: one.key, connections: 1 }))
  const p99 = { alone: [] as number[], beside: [] as number[] }
  const p99Of = async (groups: Load['groups']) => {
    const modest = (await sendLoad(subject, groups)).groups.slice(0, 9)
    if (modest.some(({ refused }) => refused > 0)) fail(`${bench.engine}: a modest key was refused`)
    return median(modest.map(({ p99Ms }) => p99Ms))
  }
  for (let round = 0; round < rounds; round++) {
    p99.alone.push(await p99Of(nine))
    p99.beside.push(await p99Of([...nine, { key, connections: 256 }]))
  }
  const greedy = await post(subject.service, '/keys', { name: 'greedy', scopes: ['default'] })
  const beside = await besideEverything(subject, greedy.key)

  const rateOf = (name: 'best' | 'closed' | 'open') => median(rates.map((rate) => rate[name]))
  const shareOf = (name: 'closed' | 'open') => median(rates.map((rate) => rate[name] / rate.best))
  const shown = (share: number) => `${(100 * share).toFixed(0)} %`
  for (const name of ['closed', 'open'] as const)
    if (!(shareOf(name) >= usefulMin))
      fail(
        `${bench.engine}: ${shown(shareOf(name))} of the best rate are useful in the ${name} loop`,
      )
  requireAtMost(`${bench.engine}: the slowest /health/live, ms`, slowestMs, healthMaxMs)
  requireAtMost(`${bench.engine}: the memory grew, MiB`, grownMiB, grownMaxMiB)
  requireAtMost(`${bench.engine}: health beside everything, ms`, beside.healthMs, healthMaxMs)
  requireAtMost(`${bench.engine}: a page beside everything, ms`, beside.pageMs, pageMaxMs)
  const row = (title: string, name: 'closed' | 'open') => {
    return [title, rateOf(name), shown(shareOf(name))]
  }
  printTable([
    [bench.engine, 'useful a second', 'of the best'],
    [`best rate, ${best.connections} connections`, rateOf('best'), ''],
    row(`closed loop, ${best.connections * 10} connections`, 'closed'),
    row('open loop, three times the best rate', 'open'),
    ['the generator, of one processor, at most', shown(busiest), ''],
    ['slowest /health/live, ms', slowestMs, ''],
    ['memory grew, MiB', grownMiB, ''],
    ['p99 of nine keys alone, ms', median(p99.alone), ''],
    ['beside one with 256 connections, ms', median(p99.beside), ''],
    [`slowest /health/live beside ${everything} of every operation, ms`, beside.healthMs, ''],
    ['slowest page of another key, ms', beside.pageMs, ''],
  ])
})

/** The slowest responses while one key sends every operation, so many of each at once, and reads nothing. */
async function besideEverything(subject: Subject, greedyKey: string): Promise<Watched> {
  using sender = startBeside(
    'send-everything.ts',
    [new URL(subject.service.baseUrl).port, greedyKey, everything],
    ['nice', '-n', '10', ...otherCore],
  )
  await sender.next()
  // Its first response shows that all connections are accepted: they are in their order.
  const watch = await startWatch(subject)
  sender.ask().catch(() => undefined)
  await sleep(seconds * 1_000)
  return await watch.end()
}

/** Sends from a process of its own, on the other core. */
function sendLoad(
  { service }: Subject,
  groups: Load['groups'],
  more: Partial<Load> = {},
): Promise<Sent> {
  const load: Load = { port: Number(new URL(service.baseUrl).port), seconds, groups, ...more }
  return startBeside('send-load.ts', [JSON.stringify(load)], otherCore).next()
}

/** Asks for health and a page all the time, from a process of its own; `end` returns how long the slowest took. */
async function startWatch({ service }: Subject) {
  const watcher = startBeside('watch.ts', [service.baseUrl, service.key], otherCore)
  await watcher.next()
  return {
    async end(): Promise<Watched> {
      const watched: Watched = await watcher.ask()
      for (const sentence of watched.refused) fail(sentence)
      return watched
    },
  }
}
