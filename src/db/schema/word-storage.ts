import { oneByOne, type Sql } from '../db.ts'
import { rowsOf } from '../lists/steps.ts'
import {
  addWords,
  insertOccurrences,
  occurrencesIn,
  selectMissing,
  type WordIndex,
} from '../lists/word-index.ts'
import { queryOnce } from '../records/rows.ts'
import {
  type Check,
  defineCheck,
  defineStorage,
  findingOf,
  type Job,
  type RecordName,
} from '../storage.ts'

/** Records that one transaction indexes. */
const indexedAtOnce = 2_000

/** The tables of an index of words, the job that adds new records, and the check. Copies of a store have a new index. */
export function wordStorage(index: WordIndex, check: Pick<Check, 'name' | 'promise'>) {
  return defineStorage({
    tables: [
      { name: index.postings, isLocal: true },
      { name: index.progress, isLocal: true },
    ],
    ...indexing(index),
    checks: [wordsCheck(index, check)],
  })
}

/** Indexes the records that are new, each second; after an upgrade and in a copy those are all. */
function indexing(index: WordIndex) {
  const { table, column, progress } = index
  const selectPosition = queryOnce((sql) => positionOf(sql, index))
  const extend = oneByOne<undefined, boolean>({
    name: `${table}WordsIndex`,
    async run(sql) {
      await sql.all(`insert into ${progress} (id, last_id) values (1, 0) on conflict do nothing`)
      // One process at a time.
      await sql.all(`select last_id from ${progress}${sql.forUpdate}`)
      const { done, of } = await positionOf(sql, index)
      // Ids are not committed in their order: below the last there may be some that nobody sees yet.
      if (of <= done || !(await sql.writersEnded(table))) return false
      const records = await sql.all<[bigint, string]>(
        `select id, ${column} from ${table} where id > ?1 and id <= ?2 order by id limit ${indexedAtOnce}`,
        [done, of],
      )
      await insertOccurrences(sql, index, occurrencesIn(index, records))
      const next = records.length < indexedAtOnce ? of : (records.at(-1)?.[0] as bigint)
      await sql.all(`update ${progress} set last_id = ?1`, [next])
      return next < of
    },
  })
  const job: Job = {
    name: `${table}WordsIndex`,
    intervalMs: 1_000,
    isBackground: true,
    async runStep(db) {
      const { done, of } = await db.read(selectPosition, undefined)
      return done < of && (await db.write(extend, undefined))
    },
  }
  return { writes: [extend], jobs: [job] }
}

/** The last record that is indexed, and the last of all. */
async function positionOf(
  sql: Sql,
  { table, progress }: WordIndex,
): Promise<{ done: bigint; of: bigint }> {
  const [row] = await sql.all<[bigint | null, bigint | null]>(
    `select (select last_id from ${progress}), (select max(id) from ${table})`,
  )
  return { done: row?.[0] ?? 0n, of: row?.[1] ?? 0n }
}

function wordsCheck(index: WordIndex, check: Pick<Check, 'name' | 'promise'>): Check {
  const { table, column } = index
  return defineCheck({
    ...check,
    async *find(sql, checkTime) {
      const { done } = await positionOf(sql, index)
      const read = { table, columns: ['id', column] }
      for await (const rows of rowsOf<[bigint, string | null]>(sql, read, checkTime)) {
        const indexed = rows.filter((row): row is [bigint, string] => row[0] <= done && !!row[1])
        const missing = await selectMissing(sql, index, occurrencesIn(index, indexed))
        for (const [id, words] of Map.groupBy(missing, ({ id }) => id)) {
          const names = words.map(({ word }) => JSON.stringify(word)).join(', ')
          const message = `Row ${id} of ${table} is not found by ${names} of its ${column}.`
          yield findingOf(table, id, message, 'add the words to the index')
        }
      }
    },
    repair: oneByOne<RecordName, null>({
      name: `${table}WordsRepair`,
      async run(sql, { id }) {
        const rows = await sql.all<[bigint, string]>(
          `select id, ${column} from ${table} where id = ?1${sql.forUpdate}`,
          [BigInt(id)],
        )
        await addWords(sql, index, rows)
        return null
      },
    }),
  })
}
