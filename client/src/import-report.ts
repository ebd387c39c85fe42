import { problemsMax } from '../../src/contract/problem.ts'
import { splitRecords } from '../../src/contract/split-records.ts'
import type { Answer } from './call.ts'
import type { ImportReport } from './generated/records.ts'
import type { Part } from './import-parts.ts'

/** A part with its `Idempotency-Key`, and the last answer to it. */
export type SentPart = Part & { key: string; answer?: Answer<ImportReport> }

export const isStored = ({ answer }: SentPart) => answer?.data.storedAt !== undefined

/** The report on a file from those on its parts, with the lines of the file. */
export function mergeReports(parts: readonly SentPart[]): ImportReport {
  const reports = parts.flatMap(({ answer }) => answer?.data ?? [])
  const sumOf = (name: 'rows' | 'created' | 'updated' | 'refused') =>
    reports.reduce((sum, report) => sum + report[name], 0)
  const ignored = reports.flatMap((report) =>
    report.ignored.map((one) => [one.column, one] as const),
  )
  const problems = parts.flatMap(({ answer, linesAbove }) =>
    (answer?.data.problems ?? []).map((one) => ({ ...one, line: one.line + linesAbove })),
  )
  const storedAt = reports.map((one) => one.storedAt ?? '').sort()
  return {
    rows: sumOf('rows'),
    created: sumOf('created'),
    updated: sumOf('updated'),
    refused: sumOf('refused'),
    newCategories: [...new Set(reports.flatMap((report) => report.newCategories))],
    ...(storedAt[0] && { storedAt: String(storedAt.at(-1)) }),
    ignored: [...new Map(ignored).values()],
    problems: problems.slice(0, problemsMax),
  }
}

/** One file of the refused rows of all parts, whose first lines are the same. */
export function joinRefused(texts: readonly string[]): string {
  return texts
    .map((text, index) =>
      index === 0 ? text : text.slice(splitRecords(text, 'text/csv').rows[0]?.at),
    )
    .join('')
}
