/**
 * npm run test:fleet -- [--rounds N] [--kinds A,B] [--seed N] [--record FILE] [--folder DIRECTORY]
 * The fleet of docs/guides/from-one-machine-to-many.md, with its files and its commands, on this machine: PostgreSQL under Patroni,
 * etcd, nginx, PgBouncer. Rounds of each fault under traffic; all that was seen is checked. Exits with 1 where a write is lost or
 * doubled, a pet is sold twice, an event or a webhook is missing, a deposed primary is written to, or connections are not bounded. Rounds in `--record` are not
 * repeated; in `--folder` logs are kept. Linux and root only, with the packages of Debian that the guide names.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../bench/statistics.ts'
import type { Observed } from '../consistency/creates/clients.ts'
import { History } from '../consistency/creates/history.ts'
import { runFaultUnderOrders } from '../consistency/orders/faults.ts'
import { showProgress } from '../harness/progress.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { type Cluster, startCluster, untilWhole } from './fleet/cluster.ts'
import { kinds, rolesIn } from './fleet/kinds.ts'
import { commandsLeft, requirePrograms } from './fleet/machines.ts'
import { startObservers, startProbes, watchConnections } from './fleet/observers.ts'
import { tableOf } from './measure.ts'
import { readOptions } from './options.ts'
import { withSeed } from './with-seed.ts'

/** Of two services to one host: 16 each and one that looks for the primary; a pause of the sampling hides some that close. */
const connectionsMax = 2 * 17 + 4
/** All connections anew, and the looks for the primary of both, each after a pause. */
const newConnectionsMax = connectionsMax + 2 * 8

/** Of the pets that are ordered. Those that nobody cancels, in minutes of faults, must not take all. */
const stocks = [1, 2, 5, 1_000]

const options = readOptions({
  ...{ rounds: 8, kinds: Object.keys(kinds).join(), seed: '' },
  ...{ record: '', folder: '' },
})
const { rounds, record } = options

type Round = Awaited<ReturnType<typeof runRound>>

const done = readRecord()
const ran = new Set<string>()
await withSeed(`fleet: ${rounds} rounds of each kind`, options.seed, async (seed) => {
  requirePrograms()
  for (const name of options.kinds.split(',')) await runKind(name, seed)
  console.log(summary())
  const left = commandsLeft()
  if (left.length > 0 && ranAll()) throw new Error(`not run, of the guide: ${left.join('; ')}`)
  console.log('fleet: passed.')
})
process.exit(process.exitCode ?? 0)

/** A fleet of its own, and the rounds that were not recorded. */
async function runKind(name: string, seed: number): Promise<void> {
  const kind = kinds[name]
  if (!kind) throw new Error(`There is no kind ${name}: ${Object.keys(kinds)}`)
  const open = Array.from({ length: rounds }, (_, round) => round).filter(
    (round) => !done.some((one) => one.kind === name && one.round === round),
  )
  if (open.length === 0) return
  ran.add(name)
  showProgress(`${name}: starting`)
  await using cluster = await startCluster({
    etcds: kind.etcds ?? 1,
    isPooled: kind.isPooled ?? false,
    parent: options.folder || undefined,
  })
  const [{ service }] = cluster.nodes
  const fleet: Observed = {
    baseUrls: [`http://${cluster.balancer.address}:8080/v1`],
    key: service.key,
    isBalanced: true,
    history: new History(),
  }
  await using observers = await startObservers(fleet)
  for (const round of open) {
    showProgress(`${name}: round ${round + 1} of ${rounds}`)
    const noted = await runRound(cluster, fleet, { name, round, seed: seed + round })
    await observers.check()
    done.push(noted)
    if (record) appendFileSync(record, `${JSON.stringify(noted)}\n`)
    console.log(JSON.stringify(noted))
    // They are checked, and the check takes longer the more there are.
    fleet.history.forget()
  }
}

/** A round. Its times are in milliseconds. It is void where elections were more or fewer than its fault causes. */
async function runRound(
  cluster: Cluster,
  fleet: Observed,
  { name, round, seed }: { name: string; round: number; seed: number },
) {
  const kind = kinds[name] as (typeof kinds)[string]
  const before = await untilWhole(cluster)
  let gaps = { withoutWriteMs: 0, withoutReadMs: 0 }
  using watched = watchConnections(cluster.nodes.map(({ fromServices }) => fromServices))
  const fault = async (random: SeededRandom) => {
    await sleep(random.between(500, 2_500))
    const probes = startProbes(fleet)
    await kind.fault(await rolesIn(fleet, cluster, random))
    await untilWhole(cluster)
    gaps = await probes.stop()
    return { times: 1, overMs: performance.now() }
  }
  const report = await runFaultUnderOrders(fleet, seed, fault, stocks)
  const after = await untilWhole(cluster)
  const { most, mostNew } = watched.counts
  if (cluster.ended.length > 0) throw new Error(cluster.ended[0])
  if (most > connectionsMax) throw new Error(`${most} connections to one host`)
  if (mostNew > newConnectionsMax) throw new Error(`${mostNew} new connections within a second`)
  return {
    kind: name,
    round,
    isVoid: after - before !== kind.elections,
    ...gaps,
    mostConnections: most,
    mostNewConnections: mostNew,
    creates: report.acknowledged,
    unknown: report.unknown,
    refused: report.refused,
    orders: report.orders.placed,
  }
}

/** Whether this run had a round of each kind: some are recorded, or were not asked for. */
function ranAll(): boolean {
  return Object.keys(kinds).every((name) => ran.has(name))
}

function readRecord(): Round[] {
  if (!existsSync(record)) return []
  return readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function summary(): string {
  const head = ['what happens', 'rounds', 'void', 'seconds without a write: median', 'worst']
  head.push('without a read: median', 'worst', 'connections to one host', 'new in a second')
  const rows = Object.entries(kinds).flatMap(([name, { title }]) => {
    const all = done.filter(({ kind }) => kind === name)
    const valid = all.filter(({ isVoid }) => !isVoid)
    if (valid.length === 0) return []
    const most = (of: (one: Round) => number) => Math.max(...valid.map(of))
    const seconds = (of: (one: Round) => number) =>
      [median(valid.map(of)), most(of)].map((ms) => (ms / 1_000).toFixed(1))
    return [
      [
        title,
        valid.length,
        all.length - valid.length,
        ...seconds((one) => one.withoutWriteMs),
        ...seconds((one) => one.withoutReadMs),
        most((one) => one.mostConnections),
        most((one) => one.mostNewConnections),
      ],
    ]
  })
  return tableOf([head, ...rows])
}
