import { wrapped } from '../arguments/help.ts'
import { bold } from './print.ts'

const widthMax = 80
const gap = '  '

/** A table of at most 80 columns: the widest columns are wrapped, at blanks where they have some. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = fitting(
    head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0))),
  )
  const [first = '', ...others] = [head, ...rows].flatMap((row) => linesOf(row, widths))
  return [bold(first), ...others, ''].join('\n')
}

function fitting(widths: number[]): number[] {
  const most = widthMax - gap.length * (widths.length - 1)
  while (widths.reduce((sum, width) => sum + width, 0) > most) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => partsOf(cell, widths[column] ?? 0))
  const height = Math.max(...cells.map((parts) => parts.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((parts, column) => (parts[line] ?? '').padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}

/** A word that is wider than its column is broken. */
function partsOf(cell: string, width: number): string[] {
  return wrapped(cell, width).flatMap((line) => {
    const count = Math.max(1, Math.ceil(line.length / width))
    return Array.from({ length: count }, (_, part) => line.slice(part * width, (part + 1) * width))
  })
}
