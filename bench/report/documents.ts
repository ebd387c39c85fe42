import { findVoid, judge } from '../goals.ts'
import type { Results } from '../results.ts'
import { drawChart } from './chart.ts'
import { goalsTable } from './goals-table.ts'
import { lossesOf } from './losses.ts'
import type { Place } from './section.ts'
import { workloadTables } from './workload-tables.ts'

type Written = { path: string; place: Place; write(results: Results): string }

const source = 'from bench/results/full.json, by node bench/report.ts'

/** The documents that show figures, by path from the root: where in them, and what. */
export const documents: readonly Written[] = [
  {
    path: 'README.md',
    place: {
      begin: `<!-- ${source} -->`,
      end: '<!-- end of the figures -->',
      before: '## Where to go next',
    },
    write: writeReadme,
  },
  {
    path: 'bench/README.md',
    place: { begin: `<!-- ${source} -->`, end: '<!-- end of the figures -->' },
    write: writeLosses,
  },
]

export const chart = { path: 'bench/chart.svg', write: drawChart }

function writeReadme(results: Results): string {
  return [
    '## How fast it is',
    '',
    'Against other servers on the same durable work, with the same key check and the same validation; the least flattering',
    'row first. `npm run bench` measures it again, and [bench/README.md](bench/README.md) says how it is fair and where we lose.',
    '',
    ...voidSentences(results),
    '![Processor time of one answer, by workload and server](bench/chart.svg)',
    '',
    goalsTable(judge(results)),
    '',
    origin(results),
  ].join('\n')
}

function writeLosses(results: Results): string {
  return [
    '## Where we lose',
    '',
    origin(results),
    '',
    ...voidSentences(results),
    'Goals that are not met, and everything in which a contender is better;',
    '[decision 0015](../docs/decisions/0015-what-was-tried-for-speed.md) says why, and what was tried:',
    '',
    ...lossesOf(results).map((loss) => `- ${loss}`),
    '',
    '## Everything that was measured',
    '',
    'Medians over the rounds.',
    '',
    workloadTables(results),
  ].join('\n')
}

function voidSentences(results: Results): string[] {
  const reasons = findVoid(results)
  if (reasons.length === 0) return []
  return [
    '**This run is void** for the workloads on which our service, measured against itself, did not come out equal:',
    '',
    ...reasons.map((reason) => `- ${reason}`),
    '',
  ]
}

function origin({ madeOn, machine, versions }: Results): string {
  const listed = [machine, versions].map((record) =>
    Object.entries(record)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )
  return `Measured on ${madeOn}: ${listed.join('; ')}.`
}
