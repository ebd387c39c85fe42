import type { Measure, Results, Window } from '../results.ts'
import { median } from '../statistics.ts'
import { workloads } from '../workloads.ts'
import { markdownTable } from './goals-table.ts'

const head = [
  'server',
  'µs of processor per answer',
  'answers/s',
  'p50 ms',
  'p99 ms',
  'peak MiB',
  'requests per query',
  'creates per sync',
]

/** Everything that was measured, a table for each workload: the cheapest answer first, a dash with its reason below. */
export function workloadTables({ windows, requestsPerQuery, dashes }: Results): string {
  const tables = workloads.flatMap(({ name, createShare, engine }) => {
    const measured = Object.entries(windows[name] ?? {})
    const reasons = Object.entries(dashes[name] ?? {})
    if (measured.length + reasons.length === 0) return []
    const rows = measured
      .map(([server, of]) => ({ server, of, us: middle(of, 'processorUs') }))
      .toSorted((a, b) => a.us - b.us)
      .map(({ server, of, us }) => [
        server,
        us.toFixed(1),
        middle(of, 'perSecond').toFixed(0),
        middle(of, 'p50Ms').toFixed(2),
        middle(of, 'p99Ms').toFixed(2),
        middle(of, 'peakMiB').toFixed(0),
        perQuery(requestsPerQuery[name]?.[server], server, engine, createShare),
        creates(of),
      ])
    const dashed = reasons.map(([server]) => [server, ...head.slice(1).map(() => '–')])
    const notes = reasons.map(([server, reason]) => `- ${server}: ${reason}`)
    const listed = notes.length > 0 ? ['', ...notes] : []
    return [[`### ${name}`, '', markdownTable([head, ...rows, ...dashed]), ...listed].join('\n')]
  })
  return tables.join('\n\n')
}

function middle(windows: readonly Window[], measure: Measure): number {
  return median(windows.map((window) => window[measure] ?? Number.NaN))
}

/** Contenders on SQLite ask once for each request, as their source shows; who replays never asks. */
function perQuery(
  counted: number | undefined,
  server: string,
  engine: 'sqlite' | 'postgres',
  createShare: number,
): string {
  if (counted !== undefined) return counted.toFixed(2)
  const isContender = engine === 'sqlite' && !/^(?:ours|raw)/.test(server)
  return isContender && createShare === 0 ? '1' : '–'
}

function creates(windows: readonly Window[]): string {
  const counted = middle(windows, 'createsPerSync')
  return Number.isNaN(counted) ? '–' : counted.toFixed(1)
}
