import type { Row, Sql, Value } from '../db.ts'
import {
  boundsOf,
  type Condition,
  compile,
  isInRange,
  type RangeCondition,
  splitConditions,
  where,
  withoutIndex,
} from './condition.ts'
import { selectPage, type TableRef } from './select-page.ts'
import { hasWords, selectWords, type WordSearch } from './word-search.ts'

/** A place in the order of the keys that names are compared by, then of ids. */
export type NamePosition = { name: string; id: bigint }

/** The position, size and order of a page in that order. */
export type NamePage = { limit: number; sort: 'name' | '-name'; after: NamePosition | undefined }

/** The operators for what is behind a place, before it, and up to it; and the direction. */
const inOrderOf = { name: ['>', '<', '<=', 'asc'], '-name': ['<', '>', '>=', 'desc'] } as const

type ByName = {
  source: TableRef
  range: RangeCondition | undefined
  words: WordSearch['words'] | undefined
  others: readonly Condition[]
  page: NamePage
}

/** Columns behind those of the source, in each row that is read here. */
const position = 'name_key as position_name, id as position_id'
/** The most records that a probe reads of each source: few enough for the serving thread. */
const probeMax = 256
/** The most records that one statement reads. */
const readMax = 5_000
/**
 * A search walks so many records in the order of names, then reads all matches where they are not more, and sorts them: it costs
 * little more than the cheaper way. The last round walks to the end.
 */
const rounds = [2_000, 16_000, Number.POSITIVE_INFINITY]

/** Whether the page is the next rows of the index on names: else it is searched. */
export function isNextByName(conditions: readonly Condition[]): boolean {
  const { words, others } = splitConditions(conditions)
  return !words && others.length === 0
}

/**
 * The rows of a page, with the position of each as their last columns; one row more than `limit` when there is a next page. Without
 * `checkTime` it is a probe, and `undefined` where few records do not suffice.
 */
export async function selectByName(
  sql: Sql,
  source: TableRef,
  { conditions, page }: { conditions: readonly Condition[]; page: NamePage },
  checkTime?: () => void,
): Promise<Row[] | undefined> {
  const search = { source, page, ...splitConditions(conditions) }
  const { range } = search
  if (page.after && range && !isInRange(page.after.name, range)) return []
  if (isNextByName(conditions)) return selectNext(sql, search, { limit: page.limit + 1 })
  const found = new Map<bigint, Row>()
  let { after } = page
  for (const round of checkTime ? rounds : [probeMax]) {
    for (let left = round; left > 0; left -= readMax) {
      checkTime?.()
      const end = await endOfStep(
        sql,
        { ...search, page: { ...page, after } },
        Math.min(left, readMax),
      )
      // A record that is renamed meanwhile may be met again.
      for (const row of await selectStep(sql, { ...search, page: { ...page, after } }, end))
        found.set(row.at(-1) as bigint, row)
      if (found.size > page.limit || !end) return [...found.values()].slice(0, page.limit + 1)
      after = end
    }
    const all = await selectMatches(sql, search, round, checkTime)
    if (all) return inOrder(all, search)
  }
  return undefined
}

/** The place of a row that was read here. */
export function positionOf(row: Row): NamePosition {
  const [name, id] = row.slice(-2)
  return { name: name as string, id: id as bigint }
}

/** The next rows in the order of names, whatever their words, up to `end`; all of them if there is no `limit`. */
async function selectNext(
  sql: Sql,
  { source, range, others, page: { sort, after } }: Omit<ByName, 'words'>,
  { limit, end }: { limit?: number; end?: NamePosition | undefined },
): Promise<Row[]> {
  const [behind, before, upTo, direction] = inOrderOf[sort]
  const { clauses, parameters } = compile(sql, withoutIndex(others))
  const bind = (value: Value) => `?${parameters.push(value)}`
  const name = (operator: string, value: Value) => `name_key ${operator} ${bind(value)}`
  const place = (operator: string, { name, id }: NamePosition) =>
    `(name_key, id) ${operator} (${bind(name)}, ${bind(id)})`
  const within = (operator: string, { name: key, id }: NamePosition) =>
    `${name('=', key)} and id ${operator} ${bind(id)}`

  const { from, below } = range ? boundsOf(range) : { from: undefined, below: undefined }
  const least = () => (from === undefined ? [] : [name('>=', from)])
  const most = () => (below === undefined ? [] : [name('<', below)])
  const [start, finish] = sort === 'name' ? [least, most] : [most, least]
  const bounds = (first: string, last: string, of: typeof place) => [
    ...(after ? [of(first, after)] : start()),
    ...(end ? [of(last, end)] : finish()),
  ]
  const isOneName = after !== undefined && after.name === end?.name
  // SQLite would find `(name_key, id) > (?, ?)` by the name alone, and visit all records that have it: it takes the rest of one
  // name, the names between, and the beginning of another. PostgreSQL, which plans once, could walk the ids for one name.
  const spans = sql.isPlannedOnce
    ? [bounds(behind, upTo, place)]
    : isOneName
      ? [bounds(behind, upTo, within)]
      : [
          ...(after ? [[within(behind, after)]] : []),
          bounds(behind, before, (operator, { name: key }) => name(operator, key)),
          ...(end ? [[within(upTo, end)]] : []),
        ]

  // A sum, as in `selectPage`.
  const limited = limit === undefined ? '' : `limit ${bind(limit)} + 0`
  const columns = [source.columns, position].filter(Boolean).join(', ')
  const order = `order by position_name ${direction}, position_id ${direction} ${limited}`
  // One statement, so that a concurrent rename cannot duplicate a record.
  const parts = spans.map((span, index) => {
    const text = `select ${columns} from ${source.table} ${where([...clauses, ...span])} ${order}`
    return `select * from (${text}) as part${index}`
  })
  return sql.all(`${parts.join(' union all ')} ${order}`, parameters)
}

/** The place of the last of the next records; `undefined` where the list ends within them. */
async function endOfStep(
  sql: Sql,
  search: ByName,
  records: number,
): Promise<NamePosition | undefined> {
  const source = { ...search.source, columns: '' }
  const rows = await selectNext(sql, { ...search, source, others: [] }, { limit: records })
  return rows.length < records ? undefined : positionOf(rows.at(-1) as Row)
}

/** The matches of a step that ends at `end`. */
async function selectStep(
  sql: Sql,
  { words, ...search }: ByName,
  end: NamePosition | undefined,
): Promise<Row[]> {
  const { source, page } = search
  if (!words) return selectNext(sql, search, { limit: page.limit + 1, end })
  const columns = `${source.columns}, ${words.column}`
  const rows = await selectNext(sql, { ...search, source: { ...source, columns } }, { end })
  return rows.filter((row) => hasWords(String(row.at(-3)), words))
}

/** All matches in any order, where they are at most so many; else `undefined`. */
async function selectMatches(
  sql: Sql,
  { source, range, words, others }: ByName,
  max: number,
  checkTime?: () => void,
): Promise<Row[] | undefined> {
  if (max === Number.POSITIVE_INFINITY) return undefined
  const read = { ...source, columns: `${source.columns}, ${position}` }
  const page = { limit: max, sort: 'id', after: undefined } as const
  const rows = words
    ? await selectWords(sql, { source: read, words, range: undefined, others, page }, checkTime)
    : await selectPage(sql, read, others, page)
  if (!rows || rows.length > max) return undefined
  // A search of words adds two columns.
  const matches = words ? rows.map((row) => row.slice(0, -2)) : rows
  return range ? matches.filter((row) => isInRange(row.at(-2) ?? null, range)) : matches
}

/** The page of these matches. */
function inOrder(rows: readonly Row[], { page: { limit, sort, after } }: ByName): Row[] {
  const direction = sort === 'name' ? 1 : -1
  return rows
    .map((row) => ({ row, at: positionOf(row) }))
    .filter(({ at }) => !after || direction * compareInOrder(at, after) > 0)
    .sort((a, b) => direction * compareInOrder(a.at, b.at))
    .slice(0, limit + 1)
    .map(({ row }) => row)
}

/** As the databases compare: texts by the bytes of UTF-8. */
function compareInOrder(a: NamePosition, b: NamePosition): number {
  return (
    Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}
