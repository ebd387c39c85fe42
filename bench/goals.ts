import type { Measure, Results } from './results.ts'
import { type Estimate, estimate, median } from './statistics.ts'
import { rawNode, type WorkloadName, workloads } from './workloads.ts'

/** A value of one round. Ours is the mean of both instances; NaN where a server was skipped. */
type Get = (workload: WorkloadName, server: string, measure: Measure) => number

type Goal = {
  title: string
  /** The workloads that it is computed from. */
  from: readonly WorkloadName[]
  bound: 'at most' | 'below' | 'at least'
  limit: number
  unit: '' | ' ms' | ' ×'
  compute(get: Get): number
}

export type Verdict = Goal & {
  estimate: Estimate
  outcome: 'met' | 'missed' | 'void' | 'not measured'
}

const fastify = 'Fastify + node:sqlite'
const elysia = 'Elysia + bun:sqlite'
const onSqlite = [fastify, 'Express + better-sqlite3', elysia]

const measureNames = { processorUs: 'processor time', perSecond: 'rate', p50Ms: 'p50' } as const

const goals: readonly Goal[] = [
  ratio('same page', 'processorUs', rawNode, 'at most', 1.35),
  ratio('same page', 'processorUs', fastify, 'at most', 0.4),
  ratio('random pages', 'processorUs', rawNode, 'at most', 2.5),
  ratio('random pages', 'processorUs', elysia, 'below', 1),
  ratio('filtered pages', 'processorUs', rawNode, 'at most', 2.5),
  ratio('filtered pages', 'processorUs', elysia, 'below', 1),
  ratio('one pet', 'processorUs', rawNode, 'at most', 1.7),
  ratio('one pet', 'processorUs', 'the best contender', 'below', 1),
  ratio('creates', 'perSecond', 'the best contender', 'at least', 10),
  ratio('creates', 'perSecond', rawNode, 'at least', 0.5),
  {
    title: 'creates: creates per sync',
    from: ['creates'],
    bound: 'at least',
    limit: 24,
    unit: '',
    compute: (get) => get('creates', 'ours', 'createsPerSync'),
  },
  {
    title: '95 : 5 mix: processor time, relative to the weighted sum of reads and creates alone',
    from: ['95 : 5 mix', 'random pages', 'creates'],
    bound: 'at most',
    limit: 1.15,
    unit: ' ×',
    compute: (get) =>
      get('95 : 5 mix', 'ours', 'processorUs') /
      (0.95 * get('random pages', 'ours', 'processorUs') +
        0.05 * get('creates', 'ours', 'processorUs')),
  },
  ratio('alone, reads', 'p50Ms', fastify, 'at most', 1.1),
  ratio('alone, creates', 'p50Ms', fastify, 'at most', 1.15),
  {
    title: 'slow sync: p99 of reads',
    from: ['slow sync'],
    bound: 'below',
    limit: 50,
    unit: ' ms',
    compute: (get) => get('slow sync', 'ours', 'p99Ms'),
  },
  ratio('PostgreSQL, same page', 'processorUs', 'Fastify + pg', 'at most', 1 / 3),
  ratio('PostgreSQL, creates', 'processorUs', 'Fastify + pg', 'at most', 1 / 2),
  shareOfCreates('PostgreSQL, keyed creates', 0.5),
  shareOfCreates('PostgreSQL, orders of a pet each', 0.4),
  shareOfCreates('PostgreSQL, orders of few pets', 0.3),
]

/** Checks every goal. A goal is met when its whole interval is within the limit. */
export function checkGoals(results: Results): Verdict[] {
  const voids = findVoid(results)
  return goals.map((goal) => {
    const measured = estimate(perRound(results, goal.compute))
    const isVoid = goal.from.some((name) => voids.has(name))
    const met = isWithin(measured, goal) ? 'met' : 'missed'
    const outcome = Number.isNaN(measured.median) ? 'not measured' : isVoid ? 'void' : met
    return { ...goal, estimate: measured, outcome }
  })
}

const sameMin = 0.95
const sameMax = 1.05

/** The void workloads: the median ratio of ours again to ours is not within 0.95 and 1.05. Returns that ratio by workload. */
export function findVoid({ windows }: Results): Map<string, number> {
  const ratios = workloads
    // A slow sync makes the processor time meaningless.
    .filter(({ syncDelayMs }) => syncDelayMs === undefined)
    .map(({ name, primaryMetric }): [string, number] => {
      const { ours = [], 'ours again': again = [] } = windows[name] ?? {}
      const ofRound = again.map((window, round) => {
        return window[primaryMetric] / (ours[round]?.[primaryMetric] ?? Number.NaN)
      })
      return [name, median(ofRound)]
    })
  return new Map(ratios.filter(([, ratio]) => ratio < sameMin || ratio > sameMax))
}

/** The goal for the rate of a workload on PostgreSQL, divided by that of plain creates. */
function shareOfCreates(workload: WorkloadName, limit: number): Goal {
  const creates = 'PostgreSQL, creates'
  return {
    title: `${workload}: rate, relative to plain creates`,
    from: [workload, creates],
    bound: 'at least',
    limit,
    unit: ' ×',
    compute: (get) => get(workload, 'ours', 'perSecond') / get(creates, 'ours', 'perSecond'),
  }
}

/** The goal for ours divided by another server, or by the best contender of each round. */
function ratio(
  workload: WorkloadName,
  measure: keyof typeof measureNames,
  server: string,
  bound: Goal['bound'],
  limit: number,
): Goal {
  const best = measure === 'perSecond' ? Math.max : Math.min
  const names = server === 'the best contender' ? onSqlite : [server]
  return {
    title: `${workload}: ${measureNames[measure]}, relative to ${server}`,
    from: [workload],
    bound,
    limit,
    unit: ' ×',
    compute: (get) =>
      get(workload, 'ours', measure) /
      best(...withoutSkipped(names.map((name) => get(workload, name, measure)))),
  }
}

/** What a function computes from the values of each round. */
export function perRound({ windows }: Results, compute: (get: Get) => number): number[] {
  const rounds = Math.max(0, ...Object.values(windows).map(({ ours = [] }) => ours.length))
  return Array.from({ length: rounds }, (_, round) =>
    compute((workload, server, measure) => {
      const names = server === 'ours' ? ['ours', 'ours again'] : [server]
      const values = withoutSkipped(
        names.map((name) => windows[workload]?.[name]?.[round]?.[measure] ?? Number.NaN),
      )
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }),
  )
}

/** NaN alone when all were skipped. */
function withoutSkipped(values: readonly number[]): number[] {
  const measured = values.filter((value) => !Number.isNaN(value))
  return measured.length === 0 ? [Number.NaN] : measured
}

function isWithin({ low, high }: Estimate, { bound, limit }: Goal): boolean {
  if (bound === 'at least') return low >= limit
  return bound === 'below' ? high < limit : high <= limit
}
