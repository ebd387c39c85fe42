import { useQueryClient } from '@tanstack/react-query'
import type { Category, CategoryChange } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from '../api/client.ts'
import { type Saver, type Saving, useSave, type Version } from '../api/use-save.ts'

/** A category as it is being typed. */
export type CategoryDraft = { name: string; description: string }

export function draftOf(category: Category | undefined): CategoryDraft {
  return { name: category?.name ?? '', description: category?.description ?? '' }
}

const saver: Saver<Category, CategoryDraft, CategoryChange> = {
  kind: 'category',
  fieldNames: ['name', 'description'],
  fetchVersion: fetchCategory,
  add: async ({ name, description }, idempotencyKey) =>
    client.categories.create(
      { name, ...(description === '' ? {} : { description }) },
      { idempotencyKey },
    ),
  changeOf: ({ name, description }, base) => ({
    ...(name === base.name ? {} : { name }),
    ...(description === (base.description ?? '') ? {} : { description: description || null }),
  }),
  update: async (id, change, ifMatch) => client.categories.update(id, change, { ifMatch }),
}

/** Adds a category, or changes the one that was read. */
export function useSaveCategory(category: Category | undefined): Saving<Category, CategoryDraft> {
  const queryClient = useQueryClient()
  const saving = useSave(saver, category)
  return {
    ...saving,
    async save(draft) {
      const saved = await saving.save(draft)
      // Pets show the names of categories.
      if (saved) void queryClient.invalidateQueries({ queryKey: ['categories', 'all'] })
      return saved
    },
  }
}

export async function fetchCategory(id: Int64, signal?: AbortSignal): Promise<Version<Category>> {
  const call = client.categories.get(id, { ...once, signal })
  const { data: record, etag } = await call.withResponse()
  return { record, etag }
}
