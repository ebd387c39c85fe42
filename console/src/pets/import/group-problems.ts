import type { ImportReport } from '../../../../client/src/index.ts'
import { formatCount, formatCounted } from '../../base/format.ts'
import { labels, type Matched, type Member } from './preview.ts'

const shownLines = 8

/** What is wrong with rows, in words: each once, with its lines. */
export function groupProblems(
  problems: ImportReport['problems'],
  columns: readonly string[],
  matched: Matched,
): { text: string; lines: string }[] {
  const labelOf = (column: string) => {
    const member = matched[columns.indexOf(column)] ?? (column as Member)
    return member === 'categoryId' && !columns.includes(column) ? labels.category : labels[member]
  }
  const groups = new Map<string, { column: string | undefined; detail: string; lines: number[] }>()
  for (const { line, column, detail } of problems) {
    const label = column === undefined ? undefined : (labelOf(column) ?? column)
    const key = `${label} ${withoutValue(detail)}`
    const group = groups.get(key) ?? { column: label, detail, lines: [] }
    group.lines.push(line)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ column, detail, lines }) => ({
    text: describe(column, detail, lines.length),
    lines: linesText(lines),
  }))
}

function withoutValue(detail: string): string {
  return detail.split('; received ', 1)[0] ?? detail
}

function describe(column: string | undefined, detail: string, count: number): string {
  if (column === undefined) return `${formatCounted(count, 'row')}: ${detail}`
  if (detail === 'is missing')
    return `${formatCounted(count, 'row')} ${count === 1 ? 'has' : 'have'} no ${column.toLowerCase()}`
  return `${formatCounted(count, 'row')}: ${column} ${count === 1 ? detail : withoutValue(detail)}`
}

function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, shownLines).map(formatCount)
  const others = lines.length - shown.length
  if (others > 0) shown.push(`${formatCount(others)} more`)
  const last = shown.pop()
  return shown.length === 0 ? `Line ${last}` : `Lines ${shown.join(', ')} and ${last}`
}
