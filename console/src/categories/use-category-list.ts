import type { Category } from '../../../client/src/generated/records.ts'
import { client, once } from '../api/client.ts'
import { parseId } from '../shared/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'
import type { CategoriesSearch } from './categories-search.ts'

/** The categories that match the address, in the order in which they were added. */
export function useCategoryList({ name, at }: CategoriesSearch): RecordList<Category> {
  return useRecordList<Category>({
    key: ['categories', name],
    order: 'id',
    at: at === undefined ? undefined : parseId(at),
    fetchPage: async (query, signal) =>
      (await client.categories.list({ name, ...query }, { ...once, signal })).data,
    fetchByIds: async (ids, signal) =>
      (await client.categories.list({ id: [...ids], limit: 100 }, { ...once, signal })).data,
  })
}
