/**
 * npm run test:overload -- [--engine sqlite|postgres] [--seconds 8]
 * Creates and orders at more than the service can take: a closed loop with ten times the connections of the best rate, an
 * open loop at three times that rate, and a key with 256 connections beside nine with one each. Service and generator have
 * a core each. Exits with 1 where less than 90 % of the best rate is useful (2xx within a second), /health/live takes 250 ms,
 * memory grows, or the p99 of the nine more than doubles.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { memoryMiB } from '../processes/processor-time.ts'
import {
  compareBeside,
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

const usefulMin = 0.9
const healthMaxMs = 250
const grownMaxMiB = 64
const ratioMax = 2
const rounds = 3
/** Below PETSTORE_CONNECTIONS_MAX, with the connections of others. */
const connectionsMax = 900

const { engine, seconds } = readOptions({ engine: '', seconds: 8 })

await onEngines(engine, [], async (bench) => {
  const subject = await serveFilled(bench, (address) => fillPets(address, 1_000), {
    env: { PETSTORE_ACCESS_LOG: 'on', LOG: join(bench.directory, 'log') },
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
  const health = watchHealth(subject)
  for (let round = 0; round < rounds; round++) {
    const rate = await usefulRate(best.connections)
    const closed = await usefulRate(best.connections * 10)
    const open = await usefulRate(connectionsMax, { ratePerSecond: rate * 3 })
    rates.push({ best: rate, closed, open })
    memory.push(memoryMiB(subject.service.pid))
  }
  const slowestMs = await health.end()
  const grownMiB = (memory.at(-1) ?? Number.NaN) - (memory[0] ?? Number.NaN)

  const names = Array.from({ length: 9 }, (_, index) => `${index} of nine`)
  const issued = await Promise.all(names.map((name) => post(subject.service, '/keys', { name })))
  const nine = issued.map((one) => ({ key: one.key, connections: 1 }))
  const p99Of = async (groups: Load['groups']) =>
    median((await sendLoad(subject, groups)).groups.slice(0, 9).map(({ p99Ms }) => p99Ms))
  const p99 = await compareBeside(
    `${bench.engine}: the p99 of nine keys`,
    { rounds, ratioMax },
    { alone: () => p99Of(nine), beside: () => p99Of([...nine, { key, connections: 256 }]) },
  )

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
    ['p99 of nine keys alone, ms', p99.alone, ''],
    ['beside one with 256 connections, ms', p99.beside, p99.ratio],
  ])
})

/** Sends from a process of its own, on the other core. */
function sendLoad(
  { service }: Subject,
  groups: Load['groups'],
  more: Partial<Load> = {},
): Promise<Sent> {
  const load: Load = { port: Number(new URL(service.baseUrl).port), seconds, groups, ...more }
  return startBeside('send-load.ts', [JSON.stringify(load)], ['taskset', '-c', '1']).next()
}

/** Asks for /health/live all the time; `end` returns how long the slowest response took. */
function watchHealth({ service }: Subject) {
  const address = service.baseUrl.replace(/\/v1$/, '/health/live')
  let isOver = false
  let slowestMs = 0
  const watching = (async () => {
    while (!isOver) {
      const startMs = performance.now()
      const response = await fetch(address)
      await response.text()
      if (!response.ok) fail(`/health/live answered ${response.status}`)
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
      await sleep(50)
    }
  })()
  return {
    async end() {
      isOver = true
      await watching
      return slowestMs
    },
  }
}
