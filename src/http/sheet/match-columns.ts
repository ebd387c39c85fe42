import type { IgnoredColumn, Matching } from '../../contract/content.ts'
import { shortened } from '../../contract/problem.ts'
import { plainName } from '../../contract/sheets.ts'
import { nearestName } from '../../nearest-name.ts'
import { invalid } from '../request/problems.ts'

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
    const nearest = matched.has(plainName(column)) ? undefined : nearestName(column, members)
    ignored.set(name, { column: name, ...(nearest === undefined ? {} : { nearest }) })
  }

  return {
    /** The member that a column holds; undefined for a column that is ignored. */
    match(column: string): string | undefined {
      const member = matched.get(plainName(column))
      if (member === undefined) noteIgnored(column)
      return member
    },
    ignored: (): IgnoredColumn[] => [...ignored.values()],
  }
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
  const nearest = nearestName(wrong.slice(wrong.lastIndexOf(':') + 1), members)
  const advice =
    nearest === undefined ? `; members are ${members.join(', ')}` : `; did you mean ${nearest}?`
  const detail = `must be COLUMN:MEMBER, several separated by commas; received ${JSON.stringify(wrong)}${advice}`
  throw invalid('invalid_parameter', [{ parameter: 'columns', detail }])
}
