import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import type { Category } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { fetchCategory } from './use-save-category.ts'

/** Deletes a category after some seconds in which it can be undone, and only as it was when it was chosen. */
export function useDeleteCategory(list: RecordList<Category>): (category: Category) => void {
  const queryClient = useQueryClient()
  const latest = useRef(list)
  latest.current = list
  return useCallback(
    (category: Category) => {
      const { id, name } = category
      const version = fetchCategory(id)
      // It is told when it is sent.
      version.catch(() => undefined)
      delay({
        id: `category ${id}`,
        verb: 'Deleting',
        name,
        done: `Category ${id} was deleted. Pets keep its number.`,
        async send() {
          await client.categories.delete(id, { ifMatch: (await version).etag })
          latest.current.change({ type: 'gone', id })
          void queryClient.invalidateQueries({ queryKey: ['categories', 'all'] })
        },
      })
    },
    [queryClient],
  )
}
