import { joinSentences, type Problem } from './problem.ts'

const shownMax = 3

/** What `rows_refused` says: how many of the rows are wrong, and the first problems. */
export function rowsRefusedMessage(
  count: number,
  rows: number,
  problems: readonly Problem[],
): string {
  const shown = problems.slice(0, shownMax).map(({ line, column, detail }) => {
    return `line ${line}${column === undefined ? '' : `, ${column}`}: ${detail}`
  })
  const listed = count > shownMax ? [...shown, 'and so on'] : shown
  return `${count} of ${rows} rows are wrong, and nothing is stored: ${joinSentences(listed)}`
}
