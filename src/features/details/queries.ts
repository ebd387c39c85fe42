import { isPrice, type Price } from '../../contract/price.ts'
import type { Sql } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import type { WordIndex } from '../../db/lists/word-index.ts'
import { isJsonList, isText } from '../../db/records/damaged-row.ts'
import { defineTable } from '../../db/records/records.ts'
import { type Details, type DetailsFilter, details } from './contract.ts'

export const detailsTable = defineTable('details', details.Item, { kind: details.noun })

/** A word of the index begins with what is searched for: a tag ends with what no tag has. */
const wordOf = (tag: string) => `${tag}|`

export const detailsTags: WordIndex = {
  table: 'details',
  column: 'tags',
  wordsOf: (tags: string | null) =>
    isJsonList(tags, isText) ? (JSON.parse(tags ?? '') as string[]).map(wordOf) : [],
  postings: 'details_tags',
  progress: 'details_tags_progress',
}

export const detailsList = listStatements<DetailsFilter, Details>('details', {
  ...detailsTable,
  conditionsOf: ({ petId, tag, currency }) => [
    ...(petId === undefined ? [] : [{ column: 'id', anyOf: petId }]),
    ...(currency === undefined ? [] : [{ column: 'price_currency', equals: currency }]),
    ...(tag === undefined ? [] : [{ column: 'tags', begins: [wordOf(tag)], index: detailsTags }]),
  ],
})

export const selectDetails = queryById(detailsTable)

/** The prices of these pets, of those that have one. */
export async function selectPrices(
  sql: Sql,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Price>> {
  const rows = await sql.all<[bigint, string, string]>(
    `select id, price_amount, price_currency from details
    where ${sql.isAnyOf('id', '?1')} and price_amount is not null`,
    [sql.set(petIds)],
  )
  const prices = rows.map(([petId, amount, currency]) => [petId, { amount, currency }] as const)
  // An order takes no damage over.
  return new Map(prices.filter(([, price]) => isPrice(price)))
}
