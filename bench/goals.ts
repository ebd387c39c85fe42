import type { Measure, Results } from './results.ts'
import { type Estimate, estimate, median } from './statistics.ts'
import { type WorkloadName, workloads } from './workloads.ts'

/** Of one round: a value of one server, of ours the mean of both entries; NaN where there is a dash. */
type At = (workload: WorkloadName, server: string, measure: Measure) => number

type Goal = {
  title: string
  /** The workloads whose windows it is judged by. */
  from: readonly WorkloadName[]
  bound: 'at most' | 'below' | 'at least'
  must: number
  stretch?: number
  unit: '×' | 'ms' | ''
  /** One value for each round, or one for the run. */
  values(results: Results): number[]
}

export type Verdict = Goal & {
  estimate: Estimate
  isMet: boolean
  isStretchMet: boolean
  /** Whether it rests on a workload on which ours against ours did not come out equal: then it says nothing. */
  isVoid: boolean
}

const onSqlite = ['Fastify + node:sqlite', 'Express + better-sqlite3', 'Elysia + bun:sqlite']
const fastify = 'Fastify + node:sqlite'
const elysia = 'Elysia + bun:sqlite'
const raw = 'raw node:http'

const goals: readonly Goal[] = [
  processorTime('same page', raw, 'at most', 1.35, 1.2),
  processorTime('same page', fastify, 'at most', 0.4),
  processorTime('random pages', raw, 'at most', 2.5, 2),
  processorTime('random pages', elysia, 'below', 1),
  processorTime('filtered pages', raw, 'at most', 2.5, 2),
  processorTime('filtered pages', elysia, 'below', 1),
  processorTime('one animal', raw, 'at most', 1.7, 1.4),
  {
    title: 'one animal: processor time, × the best contender',
    from: ['one animal'],
    ...limits('below', 1, undefined),
    values: perRound(
      (at) =>
        at('one animal', 'ours', 'processorUs') /
        Math.min(...known(onSqlite.map((name) => at('one animal', name, 'processorUs')))),
    ),
  },
  {
    title: 'creates: rate, × the best contender',
    from: ['creates'],
    ...limits('at least', 10, 15),
    values: perRound(
      (at) =>
        at('creates', 'ours', 'perSecond') /
        Math.max(...known(onSqlite.map((name) => at('creates', name, 'perSecond')))),
    ),
  },
  {
    title: 'creates: rate, × the echo of raw node:http',
    from: ['creates'],
    ...limits('at least', 0.5, 0.6),
    values: perRound((at) => at('creates', 'ours', 'perSecond') / at('creates', raw, 'perSecond')),
  },
  {
    title: 'creates: answered by one sync',
    from: ['creates'],
    ...limits('at least', 24, undefined),
    unit: '',
    values: perRound((at) => at('creates', 'ours', 'createsPerSync')),
  },
  processorTime('PostgreSQL, same page', 'Fastify + pg', 'at most', 1 / 3, 1 / 5),
  processorTime('PostgreSQL, creates', 'Fastify + pg', 'at most', 1 / 2, 1 / 3),
  {
    title: '95 : 5 mix: processor time, × the weighted sum of both alone',
    from: ['95 : 5 mix', 'random pages', 'creates'],
    ...limits('at most', 1.15, undefined),
    values: perRound(
      (at) =>
        at('95 : 5 mix', 'ours', 'processorUs') /
        (0.95 * at('random pages', 'ours', 'processorUs') +
          0.05 * at('creates', 'ours', 'processorUs')),
    ),
  },
  {
    title: 'sync delayed to 200 ms: p99 of reads',
    from: ['slow sync'],
    ...limits('below', 50, undefined),
    unit: 'ms',
    values: perRound((at) => at('slow sync', 'ours', 'p99Ms')),
  },
  alone('alone, reads', 1.1),
  alone('alone, creates', 1.15),
  {
    title: `memory after a long run, × ${fastify}`,
    from: [],
    ...limits('at most', 1.25, 1),
    values: ({ longRuns }) => [
      (longRuns.ours?.lastQuarterMiB ?? Number.NaN) /
        (longRuns[fastify]?.lastQuarterMiB ?? Number.NaN),
    ],
  },
  {
    title: 'memory of the last quarter of a long run, × the third',
    from: [],
    ...limits('at most', 1.03, undefined),
    values: ({ longRuns: { ours } }) => [
      (ours?.lastQuarterMiB ?? Number.NaN) / (ours?.thirdQuarterMiB ?? Number.NaN),
    ],
  },
  {
    title: 'process start to first 200, × a bare Fastify',
    from: [],
    ...limits('at most', 2.5, 1.8),
    values: ({ startMs }) =>
      (startMs.ours ?? []).map(
        (ms, round) => ms / (startMs['bare Fastify']?.[round] ?? Number.NaN),
      ),
  },
]

/** Every goal with what was measured: it is met when the whole interval is within its limit. */
export function judge(results: Results): Verdict[] {
  const unequal = new Set(findUnequal(results).map(({ name }) => name))
  return goals.map((goal) => {
    const measured = estimate(goal.values(results))
    const holds = (limit: number | undefined) =>
      limit !== undefined && isWithin(measured, goal.bound, limit)
    return {
      ...goal,
      estimate: measured,
      isMet: holds(goal.must),
      isStretchMet: holds(goal.stretch),
      isVoid: goal.from.some((name) => unequal.has(name)),
    }
  })
}

/** How far the worse end of the interval is from the limit: 1 is on it, more is beyond it. Not measured is furthest. */
export function distance({ estimate: { low, high }, bound, must }: Verdict): number {
  if (Number.isNaN(low)) return Number.POSITIVE_INFINITY
  return bound === 'at least' ? must / low : high / must
}

const sameMin = 0.95
const sameMax = 1.05

/** Why a run says nothing of a workload: our service, measured against itself, does not come out equal. */
export function findVoid(results: Results): string[] {
  return findUnequal(results).map(
    ({ name, ratio }) =>
      `${name}: ours against ours is ${ratio.toFixed(3)}, not within ${sameMin} and ${sameMax}.`,
  )
}

function findUnequal({ windows }: Results): { name: WorkloadName; ratio: number }[] {
  return workloads.flatMap(({ name, chief, syncDelayMs }) => {
    const { ours = [], 'ours again': again = [] } = windows[name] ?? {}
    if (ours.length === 0 || again.length === 0 || syncDelayMs !== undefined) return []
    const ratio = median(
      ours.map((window, round) => (again[round]?.[chief] ?? Number.NaN) / window[chief]),
    )
    return ratio >= sameMin && ratio <= sameMax ? [] : [{ name, ratio }]
  })
}

function processorTime(
  workload: WorkloadName,
  server: string,
  bound: Goal['bound'],
  must: number,
  stretch?: number,
): Goal {
  return {
    title: `${workload}: processor time, × ${server}`,
    from: [workload],
    ...limits(bound, must, stretch),
    values: perRound(
      (at) => at(workload, 'ours', 'processorUs') / at(workload, server, 'processorUs'),
    ),
  }
}

function alone(workload: WorkloadName, must: number): Goal {
  return {
    title: `${workload}: p50, × ${fastify}`,
    from: [workload],
    ...limits('at most', must, 1),
    values: perRound((at) => at(workload, 'ours', 'p50Ms') / at(workload, fastify, 'p50Ms')),
  }
}

function limits(bound: Goal['bound'], must: number, stretch: number | undefined) {
  return { bound, must, unit: '×' as const, ...(stretch === undefined ? {} : { stretch }) }
}

function perRound(value: (at: At) => number) {
  return ({ windows }: Results): number[] => {
    const rounds = Math.max(0, ...Object.values(windows).map(({ ours = [] }) => ours.length))
    return Array.from({ length: rounds }, (_, round) =>
      value((workload, server, measure) => {
        const entries = server === 'ours' ? ['ours', 'ours again'] : [server]
        const at = (entry: string) => windows[workload]?.[entry]?.[round]?.[measure] ?? Number.NaN
        return mean(known(entries.map(at)))
      }),
    )
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Without those that have a dash; NaN alone where all of them have one. */
function known(values: readonly number[]): number[] {
  const measured = values.filter((value) => !Number.isNaN(value))
  return measured.length === 0 ? [Number.NaN] : measured
}

function isWithin({ low, high }: Estimate, bound: Goal['bound'], limit: number): boolean {
  if (bound === 'at least') return low >= limit
  return bound === 'below' ? high < limit : high <= limit
}
