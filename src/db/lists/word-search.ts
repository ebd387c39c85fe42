import type { Parameter, Row, Sql } from '../db.ts'
import { type Condition, compile, where, withoutIndex } from './condition.ts'
import { type PageRequest, selectPage, type TableRef } from './select-page.ts'
import { idsIn, type WordIndex } from './word-index.ts'

/** A page of the records whose text has words that begin with `begins`. Its order is by id. */
export type WordSearch = {
  source: TableRef
  words: Extract<Condition, { begins: readonly string[] }>
  /** The beginning that a column has besides. */
  prefix: Extract<Condition, { startsWith: string }> | undefined
  others: readonly Condition[]
  page: PageRequest
}

/** The most records that a probe reads: few enough for the serving thread. */
const probeMax = 256
/** The most records that one statement reads. */
const readMax = 5_000
/**
 * A search looks in rounds of these sizes. If the index has no more candidates than the round's size, it reads all of them;
 * otherwise it reads that many further records in order of ids. So it costs little more than the cheaper way.
 */
const rounds = [2_000, 8_000, 32_000, 128_000, 512_000, Number.POSITIVE_INFINITY]

/** The page, with one row more than `limit` when there is a next page; `undefined` where that takes more than a probe. */
export async function probeWords(sql: Sql, search: WordSearch): Promise<Row[] | undefined> {
  return readPage(sql, search, [probeMax], () => undefined)
}

/** The same page at any cost. */
export async function searchWords(
  sql: Sql,
  search: WordSearch,
  checkTime: () => void,
): Promise<Row[]> {
  return (await readPage(sql, search, rounds, checkTime)) as Row[]
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

async function readPage(
  sql: Sql,
  search: WordSearch,
  rounds: readonly number[],
  checkTime: () => void,
): Promise<Row[] | undefined> {
  const rowsMax = search.page.limit + 1
  const found: Row[] = []
  const take = (rows: readonly Row[]) => found.push(...rows) >= rowsMax
  const isRead = await readMatches(sql, search, { rounds, checkTime, take })
  return isRead ? found.slice(0, rowsMax) : undefined
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
  const { source, words, prefix, others, page } = search
  const { table } = source
  const extra = ['id', words.column, ...(prefix ? [prefix.column] : [])]
  const read = { table, columns: [source.columns, ...extra].join(', ') }
  const matches = (row: Row) => {
    const [, text, key] = row.slice(-extra.length)
    if (typeof text !== 'string' || !hasWords(text, words)) return false
    return !prefix || String(key).startsWith(prefix.startsWith)
  }
  let { after } = page
  let size = page.limit + 1
  for (const round of rounds) {
    checkTime()
    const ids = await findCandidates(sql, search, { after, max: round })
    for (let done = 0; done < (ids?.length ?? round); ) {
      checkTime()
      const some = ids?.slice(done, done + size)
      const conditions = some ? [...withoutIndex(others), { column: 'id', anyOf: some }] : others
      const rows = await selectPage(sql, read, conditions, { ...page, after, limit: size - 1 })
      if (take(rows.filter(matches))) return true
      if (!some && rows.length < size) return true
      after = some ? some.at(-1) : (rows.at(-1)?.at(-extra.length) as bigint)
      done += size
      size = Math.min(4 * size, readMax)
    }
    if (ids) return true
  }
  return false
}

/**
 * The ids of all records behind `after` that may match, in order; `undefined` where they are more than about `max`: those that
 * the index has for the rarest of the words, and those that are not yet indexed.
 */
async function findCandidates(
  sql: Sql,
  { words: { index, begins }, page: { sort } }: WordSearch,
  { after, max }: { after: bigint | undefined; max: number },
): Promise<bigint[] | undefined> {
  if (max === Number.POSITIVE_INFINITY) return undefined
  const postingsMax = Math.ceil(max / 8)
  const found = await selectPostings(sql, index, begins, { postingsMax, notIndexedMax: max })
  const notIndexed = found.filter(([, , ids]) => ids === null)
  if (notIndexed.length > max) return undefined
  const ofWords = begins.map((_, number) => found.filter(([one]) => Number(one) === number))
  const lists = ofWords
    .filter(({ length }) => length <= postingsMax)
    .map((rows) => rows.flatMap(([, block, ids]) => idsIn(block, String(ids))))
  const [rarest] = lists.sort((a, b) => a.length - b.length)
  if (!rarest || rarest.length > max) return undefined
  const isBehind = (id: bigint) => after === undefined || (sort === 'id' ? id > after : id < after)
  const ids = new Set([...rarest, ...notIndexed.map(([, id]) => id)].filter(isBehind))
  const direction = sort === 'id' ? 1 : -1
  return [...ids].sort((a, b) => (a < b ? -direction : direction))
}

type PostingRow = [number: bigint, block: bigint, ids: string | null]

/** In one statement: the postings of each word, and the ids that are not indexed as their blocks; of each one more than wanted. */
function selectPostings(
  sql: Sql,
  { table, postings, progress }: WordIndex,
  begins: readonly string[],
  { postingsMax, notIndexedMax }: { postingsMax: number; notIndexedMax: number },
): Promise<PostingRow[]> | PostingRow[] {
  const parameters: Parameter[] = []
  const ofWords = begins.map((startsWith, number) => {
    const { clauses } = compile(sql, [{ column: 'word', startsWith }], parameters)
    return `select ${number} as number, block, ids from ${postings} ${where(clauses)}
      order by word, block limit ?${parameters.push(postingsMax + 1)} + 0`
  })
  const notIndexed = `select ${begins.length} as number, id as block, cast(null as text) as ids from ${table}
    where id > coalesce((select last_id from ${progress}), 0)
    order by id limit ?${parameters.push(notIndexedMax + 1)} + 0`
  const parts = [...ofWords, notIndexed].map(
    (text, index) => `select * from (${text}) as part${index}`,
  )
  return sql.all<PostingRow>(parts.join(' union all '), parameters)
}
