import { Textarea, TextInput } from '@mantine/core'
import type { Category, CategoryChange, Int64, NewCategory } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver, Version } from '../editor/saver.ts'
import type { Opened } from '../table/record-page.tsx'

/** A category as it is being typed. */
type CategoryDraft = { name: string; description: string }

const saver: Saver<Category, CategoryDraft, NewCategory, CategoryChange> = {
  kind: 'category',
  labels: { name: 'Name', description: 'Description' },
  bodyOf: ({ name, description }) => ({ name, description: description || null }),
  adding: {
    verb: 'Add',
    send: (category, options) => client.categories.create(category, options),
  },
  changing: {
    verb: 'Edit',
    draftOf,
    fetchVersion: fetchCategory,
    send: (id, change, options) => client.categories.update(id, change, options),
  },
}

/** Adds or changes a category. */
export function CategoryForm({
  category,
  ...opened
}: Opened<Category> & { category: Category | undefined }) {
  return (
    <RecordEditor saver={saver} record={category} draft={draftOf(category)} {...opened}>
      {({ text }) => (
        <>
          <TextInput {...text('name')} spellCheck={false} autoFocus />
          <Textarea
            description="Which pets belong to it (optional)"
            {...text('description')}
            autosize
            minRows={1}
            maxRows={6}
          />
        </>
      )}
    </RecordEditor>
  )
}

/** A category as it is now; throws where there is none. */
export async function fetchCategory(id: Int64): Promise<Version<Category>> {
  const { data: record, etag } = await reader.categories.get(id).withResponse()
  return { record, etag }
}

function draftOf(category: Category | undefined): CategoryDraft {
  return { name: category?.name ?? '', description: category?.description ?? '' }
}
