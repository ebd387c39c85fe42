import type { Row, Sql } from '../db.ts'

/**
 * An index of the words in a text column: `postings` has, for each word and each block of ids, the records whose text has had
 * that word. It only grows: what it finds has to be compared with the text. Records above the `last_id` of `progress` are not
 * in it yet.
 */
export type WordIndex = {
  table: string
  column: string
  wordsOf(text: string): string[]
  postings: string
  progress: string
}

/** The records whose ids have the same quotient share a posting. */
const blockSize = 4_096n
/** An id is stored as its remainder, in hexadecimal digits: texts can be joined by SQL on both engines. */
export const idDigits = 3

const columns = [
  { name: 'word', type: 'text' },
  { name: 'block', type: 'bigint' },
  { name: 'ids', type: 'text' },
] as const

/** The ids of a posting, in order, each once. */
export function idsIn(block: bigint, ids: string): bigint[] {
  const remainders = new Set<number>()
  for (let at = 0; at < ids.length; at += idDigits)
    remainders.add(Number.parseInt(ids.slice(at, at + idDigits), 16))
  const first = block * blockSize
  return [...remainders].sort((a, b) => a - b).map((remainder) => first + BigInt(remainder))
}

/** The posting of one id. */
export function postingOf(id: bigint): [block: bigint, ids: string] {
  return [id / blockSize, (id % blockSize).toString(16).padStart(idDigits, '0')]
}

/** A record, by its id, that has a word. */
type Occurrence = { id: bigint; word: string }

/** The words of these records. */
export function occurrencesIn(
  { wordsOf }: WordIndex,
  records: readonly (readonly [id: bigint, text: string])[],
): Occurrence[] {
  return records.flatMap(([id, text]) => wordsOf(text).map((word) => ({ id, word })))
}

/** Those that the index lacks. It never loses one, so texts may change meanwhile. */
export async function selectMissing(
  sql: Sql,
  { postings }: WordIndex,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> {
  if (occurrences.length === 0) return []
  const { from, parameters } = sql.rows(columns, postingsOf(occurrences))
  const stored = await sql.all<[string, bigint, string]>(
    `select stored.word, stored.block, stored.ids from ${from} cross join ${postings} as stored
    where stored.word = input.word and stored.block = input.block`,
    parameters,
  )
  const found = new Map(
    stored.map(([word, block, ids]) => [`${word} ${block}`, new Set(ids.match(/.{3}/g))]),
  )
  return occurrences.filter(({ id, word }) => {
    const [block, own] = postingOf(id)
    return !found.get(`${word} ${block}`)?.has(own)
  })
}

/** Adds these to the index. */
export async function insertOccurrences(
  sql: Sql,
  { postings }: WordIndex,
  occurrences: readonly Occurrence[],
): Promise<void> {
  if (occurrences.length === 0) return
  const { from, parameters } = sql.rows(columns, postingsOf(occurrences))
  await sql.all(
    `insert into ${postings} (word, block, ids) select word, block, ids from ${from} where true
    on conflict (word, block) do update set ids = ${postings}.ids || excluded.ids`,
    parameters,
  )
}

/** Adds the words of changed texts. */
export async function addWords(
  sql: Sql,
  index: WordIndex,
  records: Parameters<typeof occurrencesIn>[1],
): Promise<void> {
  await insertOccurrences(
    sql,
    index,
    await selectMissing(sql, index, occurrencesIn(index, records)),
  )
}

/** One row for each word and block, in the order in which all transactions lock them. */
function postingsOf(occurrences: readonly Occurrence[]): Row[] {
  const rows = new Map<string, [word: string, block: bigint, ids: string]>()
  for (const { id, word } of occurrences) {
    const [block, ids] = postingOf(id)
    const key = `${word} ${block}`
    const row = rows.get(key) ?? [word, block, '']
    row[2] += ids
    rows.set(key, row)
  }
  return [...rows.keys()].sort().map((key) => rows.get(key) as Row)
}
