import type { IgnoredColumn, Matching } from '../../contract/content.ts'
import { shortened } from '../../contract/problem.ts'
import { plainName } from '../../contract/sheets.ts'
import { didYouMean, nearestName } from '../../nearest-name.ts'
import { invalid } from '../request/problems.ts'
import type { RowCheck } from './check-row.ts'
import { fileProblem } from './read-text.ts'

/** The column that `write-rows.ts` puts in front. */
export const errorColumn = 'error'

/** The most ignored columns that are named. */
const ignoredMax = 100

export type ColumnMatcher = ReturnType<typeof createMatcher>

/** Matches columns by the names that the request gives them, else by their own. Throws `invalid_parameter`. */
export function createMatcher(
  members: readonly string[],
  { columns: given, ignored: notWanted }: Matching,
) {
  const matched = new Map<string, string | undefined>(
    members.map((name) => [plainName(name), name]),
  )
  for (const name of notWanted) matched.set(plainName(name), undefined)
  for (const [column, member] of given === undefined ? [] : parseGiven(given, members))
    matched.set(plainName(column), member)
  const ignored = new Map<string, IgnoredColumn>()

  function noteIgnored(column: string) {
    const name = shortened(column)
    if (ignored.size === ignoredMax || ignored.has(name) || column === '') return
    // What was wrong with the row before.
    if (plainName(column) === errorColumn) return
    const nearest = matched.has(plainName(column)) ? undefined : nearestName(column, members)
    ignored.set(name, { column: name, ...(nearest === undefined ? {} : { nearest }) })
  }

  return {
    members,
    /** The member that a column holds; undefined for a column that is ignored. */
    match(column: string): string | undefined {
      const member = matched.get(plainName(column))
      if (member === undefined) noteIgnored(column)
      return member
    },
    ignored: (): IgnoredColumn[] => [...ignored.values()],
  }
}

/** Which cell of a row is which member, and by member the name of its column in the file. */
export type Columns = {
  matched: readonly { at: number; member: string }[]
  names: ReadonlyMap<string, string>
}

/** Matches the cells of a header. Throws `invalid_body` where two are one member, or one that is needed has none. */
export function matchHeader(
  cells: readonly string[],
  matcher: ColumnMatcher,
  { required, key, members }: RowCheck,
): Columns {
  const names = new Map<string, string>()
  const matched = cells.flatMap((cell, at) => {
    const member = matcher.match(cell)
    const other = member && names.get(member)
    if (other !== undefined) {
      const both = `${JSON.stringify(shortened(other))} and ${JSON.stringify(shortened(cell))}`
      throw fileProblem(`has two columns for ${member}, ${both}: remove one, or name it in columns`)
    }
    if (member === undefined) return []
    names.set(member, cell)
    return { at, member }
  })
  const missing = required.filter((anyOf) => !anyOf.some((name) => names.has(name)))
  if (missing.length > 0 && !names.has(key)) {
    const near = matcher.ignored().find(({ nearest = '' }) => missing.flat().includes(nearest))
    const advice = near ? `. Is it ${JSON.stringify(near.column)}` : ''
    const needed = missing.map((anyOf) => anyOf.join(' or ')).join(' and ')
    throw fileProblem(
      `has no column for ${needed}, which ?columns=COLUMN:MEMBER can name; ${members.join(', ')} are known by their names${advice}`,
    )
  }
  return { matched, names }
}

/** The pairs of `Tiername:name,Notes:`. A column may have commas and colons in its name. */
function parseGiven(
  given: string,
  members: readonly string[],
): [column: string, member: string | undefined][] {
  const pairs: [string, string | undefined][] = []
  let column = ''
  for (const part of given.split(',')) {
    column += part
    const colon = column.lastIndexOf(':')
    const member = column.slice(colon + 1).trim()
    const isPair = colon > 0 && (member === '' || members.includes(member))
    if (isPair) pairs.push([column.slice(0, colon), member === '' ? undefined : member])
    column = isPair ? '' : `${column},`
  }
  if (column === '') return pairs
  const wrong = shortened(column.slice(0, -1))
  const advice = didYouMean(wrong.slice(wrong.lastIndexOf(':') + 1), members, {
    otherwise: `; members are ${members.join(', ')}`,
  })
  const detail = `must be COLUMN:MEMBER, several separated by commas; received ${JSON.stringify(wrong)}${advice}`
  throw invalid('invalid_parameter', [{ parameter: 'columns', detail }])
}
