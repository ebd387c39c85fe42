import { type Comparison, compareWithPlainCreates, type Variation } from '../compare.ts'
import { findVoid, type Verdict } from '../goals.ts'
import type { Alternatives, Measure, Results, Window } from '../results.ts'
import { type Estimate, median } from '../statistics.ts'
import { isContender, rawNode, workloads } from '../workloads.ts'

/** The goals with the measured values as Markdown. */
export function goalsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ title, estimate, bound, limit, unit, outcome }) => {
    const measured = outcome === 'not measured' ? '–' : `${shownEstimate(estimate)}${unit}`
    return [title, measured, `${bound} ${shown(limit)}`, outcome]
  })
  return markdownTable([['goal', 'median (95 % interval)', 'limit', 'outcome'], ...rows])
}

/** The ratios to the version before as Markdown. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(
    ({ workload, measure, estimate: { median, low, high }, outcome }) => {
      const interval = [low, high].map((value) => value.toFixed(3)).join(' to ')
      return [workload, measure, `${median.toFixed(3)} (${interval})`, outcome]
    },
  )
  return markdownTable([
    ['workload', 'measure', 'ours / before (95 % interval)', 'outcome'],
    ...rows,
  ])
}

/** Servers beside their variants as Markdown. */
export function variantsTable(variant: string, variations: readonly Variation[]): string {
  const head = ['workload', 'server', 'µs', `µs ${variant}`, 'ratio (95 % interval)']
  const rows = variations.map(({ workload, server, plainUs, variantUs, ratio, perSecond }) => [
    ...[workload, server, plainUs.toFixed(1), variantUs.toFixed(1)],
    `${ratio.median.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
    perSecond.toFixed(0),
  ])
  return markdownTable([[...head, `answers/s ${variant}`], ...rows])
}

const columns: [string, Measure, 'least' | 'most'][] = [
  ['processor µs per answer', 'processorUs', 'least'],
  ['answers/s', 'perSecond', 'most'],
  ['p50 ms', 'p50Ms', 'least'],
  ['p99 ms', 'p99Ms', 'least'],
  ['peak MiB', 'peakMiB', 'least'],
  ['creates per sync', 'createsPerSync', 'most'],
]

/** Medians of ours and of the best contender for each measure, as Markdown: bold where the contender is better. */
export function resultsTable(results: Results): string {
  const { windows } = results
  const voids = findVoid(results)
  const rows = workloads
    .filter(({ name, hasContenders }) => hasContenders && windows[name]?.ours !== undefined)
    .map(({ name }) => {
      const servers = windows[name] ?? {}
      const ours = oursIn(servers)
      const contenders = Object.entries(servers).filter(([server]) => isContender(server))
      const cells = columns.map(([, measure, best]) => {
        const values = contenders.map(([, of]) => middle(of, measure))
        const value = best === 'least' ? Math.min(...values) : Math.max(...values)
        return cellOf(middle(ours, measure), value, best)
      })
      const raw = shown(middle(servers[rawNode] ?? [], 'processorUs'))
      const title = voids.has(name) ? `${name} (void)` : name
      return [title, raw, ...cells]
    })
  const head = ['workload', `${rawNode}, µs`, ...columns.map(([title]) => title)]
  return markdownTable([head, ...rows])
}

/** The workloads of ours alone beside plain creates, as Markdown. Undefined when none was measured. */
export function ownTable(results: Results): string | undefined {
  const voids = findVoid(results)
  const rows = compareWithPlainCreates(results).map(({ workload, perSecond, processorUs }) => {
    const ours = oursIn(results.windows[workload] ?? {})
    return [
      voids.has(workload) ? `${workload} (void)` : workload,
      shown(middle(ours, 'perSecond')),
      shown(middle(ours, 'processorUs')),
      shownEstimate(perSecond),
      shownEstimate(processorUs),
    ]
  })
  const head = [
    'workload',
    'answers/s',
    'processor µs per answer',
    'rate / plain creates (95 % interval)',
    'processor time / plain creates (95 % interval)',
  ]
  return rows.length === 0 ? undefined : markdownTable([head, ...rows])
}

/** What people would take instead of ours, as Markdown: medians, and what of the contract each keeps. */
export function alternativesTable({ versions, measured }: Alternatives): string {
  const rows = Object.entries(measured).map(([name, { windows, keeps }]) => {
    const of = (measure: keyof (typeof windows)[number]) =>
      shown(median(windows.map((window) => window[measure])))
    const kept = [keeps.state, keeps.keys, keeps.validation, keeps.int64]
    return [
      `${name} ${versions[name] ?? ''}`.trim(),
      ...[of('startS'), of('peakMiB'), of('p50Ms'), of('processorUs')],
      ...kept.map((isKept) => (isKept ? 'yes' : 'no')),
    ]
  })
  const head = ['', 'first answer, s', 'peak MiB', 'p50 of one client, ms', 'processor µs of 64']
  const contract = ['keeps a new pet', 'refuses other keys', 'refuses no name', 'exact int64']
  return markdownTable([[...head, ...contract], ...rows])
}

/** The windows of both instances of our service. */
export function oursIn({
  ours = [],
  'ours again': again = [],
}: Record<string, Window[]>): Window[] {
  return [...ours, ...again]
}

/** The median over the rounds. */
export function middle(windows: readonly Window[], measure: Measure): number {
  return median(windows.map((window) => window[measure] ?? Number.NaN))
}

function cellOf(ours: number, contender: number, best: 'least' | 'most'): string {
  if (Number.isNaN(ours)) return '–'
  const text = `${shown(ours)} : ${Number.isFinite(contender) ? shown(contender) : '–'}`
  const isBetter = best === 'least' ? contender < ours : contender > ours
  return isBetter && Number.isFinite(contender) ? `**${text}**` : text
}

function shownEstimate({ median, low, high }: Estimate): string {
  return Number.isNaN(median) ? '–' : `${shown(median)} (${shown(low)} to ${shown(high)})`
}

/** With three digits, or as an integer; a dash for NaN. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

/** Aligned as the repository's formatter aligns tables. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = [], ...body] = rows
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
