/**
 * npm run test:postgres -- [ROUNDS] [--seed N]
 * Restarts, freezes, cuts and replaces PostgreSQL under traffic over two services, again and again,
 * and checks all that was seen. Exits with 1 at the first violation, and when a restarted server is
 * not used again within 2 s.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/statistics.ts'
import { runFaultUnderOrders } from '../consistency/orders/faults.ts'
import { showProgress } from '../harness/progress.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { startPostgres } from '../processes/postgres.ts'
import { type Fault, startFleet, startProxiedFleet } from '../processes/postgres-faults.ts'
import { cut, failOver, freezeBackends, restart, silence } from '../processes/postgres-moments.ts'
import { printTable } from './measure.ts'
import { readOptions } from './options.ts'
import { withSeed } from './with-seed.ts'

const firstSuccessMaxMs = 2_000

const { seed: given, positionals } = readOptions({ seed: '' }, { allowPositionals: true })
const rounds = Number(positionals[0] ?? 20)

/** One statement, which is a transaction of its own. With an Idempotency-Key there are several. */
const creation = /^with [^;]*insert into pets /
const sale = /; insert into orders .*; commit$/s
const silent = 'connections silent for good'

type FaultReport = Awaited<ReturnType<typeof runFaultUnderOrders>>
type Measured = { fault: string; reports: FaultReport[] }

await withSeed(`postgres: ${rounds} rounds`, given, async (seed) => {
  const measured = await measureOneServer(seed)
  measured.push({ fault: 'fail-over to a standby', reports: await measureFailOvers(seed) })
  printTable(rowsOf(measured))
  requireQuickReturn(measured)
  console.log('postgres: passed. No create lost, none twice, no id reused, no answer stale.')
  console.log('No order lost, no pet promised twice, nobody refused for nothing, one effect a key.')
})
process.exit()

async function measureOneServer(seed: number): Promise<Measured[]> {
  const server = await startPostgres()
  const { proxy, fleet, stop } = await startProxiedFleet(server)
  await using started = new AsyncDisposableStack()
  started.defer(stop)
  const faults: [string, (random: SeededRandom) => Promise<Fault>][] = [
    ['restart, fast', () => restart(server, 'fast', fleet)],
    ['restart, immediate', () => restart(server, 'immediate', fleet)],
    [
      'half of the sessions frozen for 1 s',
      (random) => freezeBackends(server, random, { share: 0.5, meanwhile: () => sleep(1_000) }),
    ],
    ['cut after COMMIT of a create was answered', () => cut(proxy, creation, 'answered', 5)],
    ['cut before COMMIT of a create was sent', () => cut(proxy, creation, 'unsent', 5)],
    ['cut after COMMIT of an order was answered', () => cut(proxy, sale, 'answered', 5)],
    ['cut before COMMIT of an order was sent', () => cut(proxy, sale, 'unsent', 5)],
    [silent, () => silence(proxy, fleet)],
  ]
  const measured: Measured[] = faults.map(([fault]) => ({ fault, reports: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, [name, fault]] of faults.entries()) {
      showProgress(`round ${round + 1} of ${rounds}, ${name}`)
      measured[index]?.reports.push(await runFaultUnderOrders(fleet, seed + round, fault))
    }
    // The check takes longer the more was recorded.
    if (round % 5 === 4) fleet.history.forget()
  }
  return measured
}

async function measureFailOvers(seed: number): Promise<FaultReport[]> {
  const reports: FaultReport[] = []
  for (let round = 0; round < Math.ceil(rounds / 4); round++) {
    showProgress(`fail-over ${round + 1}`)
    await using started = new AsyncDisposableStack()
    const primary = await startPostgres(['synchronous_standby_names=*'])
    started.defer(() => primary.stop())
    const standby = await primary.startStandby()
    started.defer(() => standby.stop())
    const address = await primary.createDatabase()
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
    const fleet = started.use(await startFleet(address.replace(/127.0.0.1:\d+/, hosts)))
    reports.push(await runFaultUnderOrders(fleet, seed + round, () => failOver(primary, standby)))
  }
  return reports
}

function rowsOf(measured: readonly Measured[]): (string | number)[][] {
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
  const rows = measured.map(({ fault, reports }) => {
    const of = (name: Exclude<keyof FaultReport, 'orders'>) => reports.map((report) => report[name])
    const success = of('firstSuccessMs')
    const counts = (['acknowledged', 'unknown', 'refused', 'reads'] as const).map((name) =>
      sum(of(name)),
    )
    const orders = (['placed', 'unknown', 'refused'] as const).map((name) =>
      sum(reports.map((report) => report.orders[name])),
    )
    const slowest = Math.max(...of('slowestAnswerMs'))
    const [middle, last] = [0.5, 1].map((share) => quantile(success, share)) as [number, number]
    return [fault, reports.length, middle, last, slowest, ...counts, ...orders]
  })
  const head = ['fault', 'times', 'first success, median ms', 'slowest ms', 'slowest answer ms']
  const counted = ['creates', 'unknown', 'refused', 'reads', 'orders', 'unknown', 'refused']
  return [head.concat(counted), ...rows]
}

function requireQuickReturn(measured: readonly Measured[]): void {
  for (const { fault, reports } of measured) {
    // Silent connections do not end by themselves: the service must give them up first.
    if (fault === silent) continue
    const slowest = Math.max(...reports.map(({ firstSuccessMs }) => firstSuccessMs))
    if (slowest > firstSuccessMaxMs) throw new Error(`${fault}: first success after ${slowest} ms`)
  }
}
