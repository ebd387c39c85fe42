import type { Parameter, Row, Sql } from '../db.ts'
import {
  type Condition,
  compile,
  isInRange,
  type RangeCondition,
  where,
  withoutIndex,
} from './condition.ts'
import { type PageRequest, selectPage, type TableRef } from './select-page.ts'
import { idDigits, idsIn, postingOf, type WordIndex } from './word-index.ts'

/** A page of the records whose text has words that begin with `begins`. Its order is by id. */
export type WordSearch = {
  source: TableRef
  words: Extract<Condition, { begins: readonly string[] }>
  /** The beginning that a column has besides. */
  range: RangeCondition | undefined
  others: readonly Condition[]
  page: PageRequest
}

/** The most records that a probe reads of each source: few enough for the serving thread. */
const probeMax = 256
/** The most records that one statement reads. */
const readMax = 5_000
/**
 * A search reads the first records, then in rounds of so many records: candidates of the index, where it has not too many,
 * then all records in order of ids. Both go on where the other one ended, so that it costs little more than the cheaper way.
 */
const rounds = [2_000, 16_000, 128_000, Number.POSITIVE_INFINITY]
/** In a round, the postings that are read of each word and the candidates in them, for each record. */
const postingsPerRecord = 1 / 8
const candidatesPerRecord = 32

/**
 * The page, with one row more than `limit` when there is a next page. Without `checkTime` it is a probe, and `undefined` where that
 * does not suffice.
 */
export async function selectWords(
  sql: Sql,
  search: WordSearch,
  checkTime?: () => void,
): Promise<Row[] | undefined> {
  const rowsMax = search.page.limit + 1
  const found: Row[] = []
  const take = (rows: readonly Row[]) => found.push(...rows) >= rowsMax
  const cost = checkTime ? { rounds, checkTime } : { rounds: [probeMax], checkTime() {} }
  const isRead = await readMatches(sql, search, { ...cost, take })
  return isRead ? found.slice(0, rowsMax) : undefined
}

/** Counts all matches. */
export async function countWords(
  sql: Sql,
  search: Omit<WordSearch, 'page'>,
  checkTime: () => void,
): Promise<number> {
  const page = { limit: readMax, sort: 'id', after: undefined } as const
  let total = 0
  const take = (rows: readonly Row[]) => {
    total += rows.length
    return false
  }
  await readMatches(sql, { ...search, page }, { rounds, checkTime, take })
  return total
}

/** Whether each of the words begins a word of the text. */
export function hasWords(text: string, { index, begins }: WordSearch['words']): boolean {
  const words = index.wordsOf(text)
  return begins.every((begin) => words.some((word) => word.startsWith(begin)))
}

type Reading = {
  rounds: readonly number[]
  checkTime(): void
  /** Returns whether that is enough. */
  take(rows: readonly Row[]): boolean
}

/** Passes matches on in order of ids, until they are enough or all; returns false where the rounds did not suffice. */
async function readMatches(
  sql: Sql,
  search: WordSearch,
  { rounds, checkTime, take }: Reading,
): Promise<boolean> {
  const { source, words, range, others, page } = search
  const { table } = source
  const extra = ['id', words.column, ...(range ? [range.column] : [])]
  const read = { table, columns: [source.columns, ...extra].join(', ') }
  const matches = (row: Row) => {
    const [, text, key] = row.slice(-extra.length)
    if (typeof text !== 'string' || !hasWords(text, words)) return false
    return !range || isInRange(key ?? null, range)
  }
  let { after } = page
  let size = page.limit + 1
  // Where all match, the first records are the page.
  for (const round of [size, ...rounds]) {
    checkTime()
    const isFirst = after === page.after
    const candidates = isFirst ? undefined : await findCandidates(sql, search, { after, round })
    for (const ids of candidates ? [candidates, undefined] : [undefined]) {
      for (let left = round; left > 0; ) {
        checkTime()
        const limit = Math.min(size, left)
        const some = ids && takeFrom(ids, limit)
        const conditions = some ? [...withoutIndex(others), { column: 'id', anyOf: some }] : others
        const rows = await selectPage(sql, read, conditions, { ...page, after, limit: limit - 1 })
        if (take(rows.filter(matches)) || (some ?? rows).length < limit) return true
        after = some ? some.at(-1) : (rows.at(-1)?.at(-extra.length) as bigint)
        left -= limit
        size = Math.min(4 * size, readMax)
      }
    }
  }
  return false
}

/** The next of them; `take` of an iterator would end it. */
function takeFrom<T>(iterator: Iterator<T>, count: number): T[] {
  const taken: T[] = []
  for (let next = iterator.next(); !next.done; next = iterator.next())
    if (taken.push(next.value) === count) break
  return taken
}

/**
 * The ids of all records behind `after` that may match, in order; `undefined` where they are too many for the round: those that
 * the index has for the rarest of the words, and those that are not yet indexed.
 */
async function findCandidates(
  sql: Sql,
  { words: { index, begins }, page: { sort } }: WordSearch,
  { after, round }: { after: bigint | undefined; round: number },
): Promise<IteratorObject<bigint> | undefined> {
  if (round === Number.POSITIVE_INFINITY) return undefined
  const max = {
    postings: round * postingsPerRecord,
    candidates: round * candidatesPerRecord,
    round,
  }
  const found = await selectPostings(sql, index, begins, max)
  const notIndexed = found.filter(([number]) => Number(number) === begins.length)
  const lists = begins
    .map((_, number) => found.filter(([one]) => Number(one) === number))
    .filter((rows) => rows.length <= max.postings && rows.every(([, , ids]) => ids !== null))
  const [rarest] = lists.sort((a, b) => lengthOf(a) - lengthOf(b))
  if (!rarest || lengthOf(rarest) > max.candidates || notIndexed.length > round) return undefined
  const blocks = Map.groupBy([...rarest, ...notIndexed], ([, block]) => block)
  const direction = sort === 'id' ? 1 : -1
  const isBehind = (id: bigint) => after === undefined || (sort === 'id' ? id > after : id < after)
  return [...blocks]
    .sort(([a], [b]) => (a < b ? -direction : direction))
    .values()
    .flatMap(([block, rows]) => {
      const ids = idsIn(block, rows.map(([, , text]) => text).join(''))
      return (sort === 'id' ? ids : ids.reverse()).filter(isBehind)
    })
}

function lengthOf(rows: readonly PostingRow[]): number {
  return rows.reduce((sum, [, , ids]) => sum + (ids?.length ?? 0), 0) / idDigits
}

type PostingRow = [number: bigint, block: bigint, ids: string | null]

/**
 * In one statement: the postings of each word, without ids where those alone are too many; and as further postings the records
 * that are not indexed. Of each one more than wanted.
 */
async function selectPostings(
  sql: Sql,
  { table, postings, progress }: WordIndex,
  begins: readonly string[],
  max: { postings: number; candidates: number; round: number },
): Promise<PostingRow[]> {
  const parameters: Parameter[] = []
  const ofWords = begins.map((startsWith, number) => {
    const { clauses } = compile(sql, [{ column: 'word', startsWith }], parameters)
    const lengthMax = `?${parameters.push(max.candidates * idDigits)} + 0`
    return `select ${number} as number, block, case when octet_length(ids) <= ${lengthMax} then ids end as ids
      from ${postings} ${where(clauses)} order by word, block limit ?${parameters.push(max.postings + 1)} + 0`
  })
  const notIndexed = `select ${begins.length} as number, id as block, cast(null as text) as ids from ${table}
    where id > coalesce((select last_id from ${progress}), 0)
    order by id limit ?${parameters.push(max.round + 1)} + 0`
  const parts = [...ofWords, notIndexed].map((text, at) => `select * from (${text}) as part${at}`)
  const rows = await sql.all<PostingRow>(parts.join(' union all '), parameters)
  return rows.map(([number, block, ids]) =>
    Number(number) < begins.length ? [number, block, ids] : [number, ...postingOf(block)],
  )
}
