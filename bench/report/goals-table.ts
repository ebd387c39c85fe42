import { distance, type Verdict } from '../goals.ts'

/** What was aimed at and what came out, as Markdown: the least flattering row first. */
export function goalsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts
    .toSorted((a, b) => compare(distance(b), distance(a)))
    .map((verdict) => [
      verdict.title,
      measured(verdict),
      `${verdict.bound} ${shown(verdict.must)}`,
      verdict.stretch === undefined ? '' : shown(verdict.stretch),
      outcome(verdict),
    ])
  return markdownTable([['what', 'median (95 % interval)', 'must be', 'stretch', 'met'], ...rows])
}

/** Aligned as the formatter of the repository would. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

/** Infinities are equal to each other, and their difference is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}

function measured({ estimate: { median, low, high }, unit }: Verdict): string {
  if (Number.isNaN(median)) return '–'
  const text = low === high ? shown(median) : `${shown(median)} (${shown(low)}–${shown(high)})`
  return unit === '' ? text : `${text} ${unit}`
}

function outcome({ estimate: { median }, isMet, isStretchMet, isVoid }: Verdict): string {
  if (Number.isNaN(median)) return 'not measured'
  if (isVoid) return 'void'
  if (!isMet) return 'no'
  return isStretchMet ? 'yes, and stretch' : 'yes'
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
