import { checkGoals, findVoid } from '../goals.ts'
import type { Alternatives, Results } from '../results.ts'
import { alternativesTable, goalsTable, ownTable, resultsTable } from './tables.ts'

/** The page that shows a full run, and what was seen in the long runs, which are written down by hand. */
export function resultsPage(
  results: Results,
  longRuns: string,
  alternatives: Alternatives,
): string {
  const { madeOn, machine, versions, remarks = [] } = results
  const own = ownTable(results)
  const paragraphs = [
    '<!-- Generated from bench/results/ by node bench/report.ts: do not edit. -->',
    '# Results of the benchmark',
    `Measured on ${madeOn}: ${listed(machine)}; ${listed(versions)}.`,
    [...remarks, ...sentencesOn(results)].map((sentence) => `- ${sentence}`).join('\n'),
    '## Ours and the best contender',
    'Medians over all rounds: both instances of ours on the left, the best contender for that measure on the right, **bold** where it is better.',
    resultsTable(results),
    ...(own === undefined
      ? []
      : [
          '## Ours alone',
          'Medians of the ratios to plain creates of the same engine within a round.',
          own,
        ]),
    '## Goals',
    'Medians of the ratios within a round. A goal is met when the whole interval is within the limit.',
    goalsTable(checkGoals(results)),
    '## What you would take instead',
    `Measured on ${alternatives.madeOn}: medians of ${Object.values(alternatives.measured)[0]?.windows.length} starts. [README.md](README.md#what-you-would-take-instead) says how.`,
    alternativesTable(alternatives),
    longRuns,
  ]
  return paragraphs.join('\n\n')
}

/** Which workloads are void, and which servers were skipped. */
export function sentencesOn(results: Results): string[] {
  const voids = [...findVoid(results)].map(
    ([workload, ratio]) =>
      `Void: ${workload}. Ours again is ${ratio.toFixed(3)} × ours, not within 0.95 and 1.05.`,
  )
  const skips = Object.entries(results.skips).flatMap(([workload, servers]) =>
    Object.entries(servers).map(([server, why]) => `Skipped: ${workload}, ${server}: ${why}.`),
  )
  return [...voids, ...skips]
}

function listed(record: Record<string, string>): string {
  const entries = Object.entries(record).map(([name, value]) => `${name} ${value}`)
  return entries.join(', ')
}
