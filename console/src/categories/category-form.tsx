import { Textarea, TextInput } from '@mantine/core'
import type {
  Category,
  CategoryChange,
  NewCategory,
} from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { compareDrafts } from '../editor/conflict.tsx'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/use-save.ts'
import type { Opened } from '../table/record-page.tsx'
import { fetchCategory } from './category-list.ts'

/** A category as it is being typed. */
type CategoryDraft = { name: string; description: string }

const saver: Saver<Category, CategoryDraft, NewCategory, CategoryChange> = {
  kind: 'category',
  labels: { name: 'Name', description: 'Description' },
  bodyOf: ({ name, description }) => ({ name, description: description || null }),
  adding: {
    title: 'Add a category',
    submit: 'Add',
    done: ({ id }) => `Category ${id} was added.`,
    send: async (category, idempotencyKey) =>
      client.categories.create(category, { idempotencyKey }),
  },
  changing: {
    title: 'Edit the category',
    submit: 'Save',
    done: ({ id }) => `Category ${id} was saved.`,
    draftOf,
    fetchVersion: fetchCategory,
    send: async (id, change, ifMatch) => client.categories.update(id, change, { ifMatch }),
    compare: (mine, theirs) =>
      compareDrafts(
        { name: { label: 'Name' }, description: { label: 'Description' } },
        mine,
        draftOf(theirs),
      ),
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

function draftOf(category: Category | undefined): CategoryDraft {
  return { name: category?.name ?? '', description: category?.description ?? '' }
}
