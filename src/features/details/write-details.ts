import type { Price } from '../../contract/price.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { addWords } from '../../db/lists/word-index.ts'
import { writesOf } from '../record-writes.ts'
import { type Details, details } from './contract.ts'
import { detailsTable, detailsTags, selectPrices } from './queries.ts'

export const detailsWrites = writesOf(details, detailsTable, { stored: indexTags })

async function indexTags(tx: Tx, stored: readonly Details[]): Promise<void> {
  const tagged = stored.map(({ petId, tags = [] }) => [petId, JSON.stringify(tags)] as const)
  await addWords(tx, detailsTags, tagged)
}

/** Deletes the details of deleted pets. */
export const deleteDetailsOf = detailsTable.delete

/** The prices of these pets; those without one are omitted. */
export async function findPrices(
  sql: Sql,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Price>> {
  return petIds.length === 0 ? new Map() : selectPrices(sql, petIds)
}
