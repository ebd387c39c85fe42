import { problemsMax } from '../../src/contract/problem.ts'
import { quoteCell } from '../../src/contract/sheets.ts'
import { createSplitter } from '../../src/contract/split-records.ts'
import type { ImportReport } from './generated/records.ts'
import type { Part } from './import-parts.ts'

/** The most ignored columns that a report names, as one of the service. */
const ignoredMax = 100

/** The report on a file from those on its parts, with the lines of the file. */
export function mergeReports(
  reports: readonly ImportReport[],
  parts: readonly Part[],
): ImportReport {
  const sumOf = (name: 'rows' | 'created' | 'updated' | 'refused') =>
    reports.reduce((sum, report) => sum + report[name], 0)
  const ignored = reports.flatMap((report) =>
    report.ignored.map((one) => [one.column, one] as const),
  )
  const problems = reports.flatMap((report, index) =>
    report.problems.map((one) => ({ ...one, line: parts[index]?.lineOf(one.line) ?? one.line })),
  )
  const storedAt = reports.map((one) => one.storedAt ?? '').sort()
  return {
    rows: sumOf('rows'),
    created: sumOf('created'),
    updated: sumOf('updated'),
    refused: sumOf('refused'),
    newCategories: [...new Set(reports.flatMap((report) => report.newCategories))],
    ...(storedAt[0] && { storedAt: String(storedAt.at(-1)) }),
    ignored: [...new Map(ignored).values()].slice(0, ignoredMax),
    problems: problems.slice(0, problemsMax),
  }
}

/** One file of the refused rows of all parts. The columns of JSON are the members that the rows of a part have. */
export function joinRefused(texts: readonly string[]): string {
  const sheets = texts.map((text) => {
    const splitter = createSplitter('csv')
    return { splitter, rows: [...splitter.push(text), ...splitter.end()] }
  })
  const heads = new Set(sheets.map(({ splitter }) => splitter.head()))
  const rows = sheets.flatMap((sheet) => sheet.rows)
  if (heads.size === 1) return String(sheets[0]?.splitter.join(rows.map(({ text }) => text)))
  const columns = [...new Set(sheets.flatMap(({ splitter }) => splitter.columns()))]
  const lines = sheets.flatMap(({ splitter, rows }) => {
    const places = columns.map((column) => splitter.columns().indexOf(column))
    return rows.map(({ cells = [] }) => places.map((at) => cells[at] ?? ''))
  })
  return [columns, ...lines].map((cells) => `${cells.map(quoteCell).join(',')}\n`).join('')
}
