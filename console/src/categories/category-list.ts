import type { Category, Int64 } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import type { Version } from '../editor/saver.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** What the address of the categories page says. */
export type CategorySearch = { name?: string; at?: string }

/** The categories that match the address, in the order in which they were added. */
export function useCategoryList({ name }: CategorySearch): RecordList<Category> {
  return useRecordList<Category>({
    key: ['categories', name],
    kinds: ['category'],
    order: 'id',
    filter: { name },
    fetch: (query, options) => reader.categories.list(query, options),
  })
}

/** A category as it is now; throws where there is none. */
export async function fetchCategory(id: Int64): Promise<Version<Category>> {
  const call = reader.categories.get(id)
  const { data: record, etag } = await call.withResponse()
  return { record, etag }
}
