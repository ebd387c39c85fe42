import { useMemo, useRef } from 'react'
import type { Category } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../api/session.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import { markGone } from '../table/record-window.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { fetchCategory } from './category-list.ts'

/** What can be done to a category, as far as the key may. */
export function useCategoryActions(list: RecordList<Category>): readonly RecordAction<Category>[] {
  const canWrite = useHasScope('pets:write')
  const latest = useRef(list)
  latest.current = list
  return useMemo(() => {
    const deletion: RecordAction<Category> = {
      label: 'Delete',
      icon: 'trash',
      shortcut: 'Delete',
      run: (category) =>
        deleteCategory(category, () =>
          latest.current.change((window) => markGone(window, category.id)),
        ),
    }
    return canWrite ? [deletion] : []
  }, [canWrite])
}

/** Deletes a category after some seconds in which it can be undone, and only as it was when it was chosen. */
function deleteCategory({ id, name }: Category, done: () => void): void {
  const version = fetchCategory(id)
  // `send` reports the failure.
  version.catch(() => undefined)
  delay({
    id: `category ${id}`,
    verb: 'Deleting',
    name,
    done: `Category ${id} was deleted. Its pets keep the category number.`,
    async send() {
      await client.categories.delete(id, { ifMatch: (await version).etag })
      done()
    },
  })
}
