import { Textarea, TextInput } from '@mantine/core'
import type { Category, CategoryChange } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { compareTexts } from '../editor/conflict.tsx'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/use-save.ts'
import type { Opened } from '../table/record-page.tsx'
import { fetchCategory } from './category-list.ts'

/** A category as it is being typed. */
type CategoryDraft = { name: string; description: string }

const labels = { name: 'Name', description: 'Description' }

const categorySaver: Saver<Category, CategoryDraft, CategoryChange> = {
  kind: 'category',
  fieldLabels: labels,
  add: async ({ name, description }, idempotencyKey) =>
    client.categories.create(
      { name, ...(description === '' ? {} : { description }) },
      { idempotencyKey },
    ),
  change: {
    fetchVersion: fetchCategory,
    changeOf: ({ name, description }, base) => ({
      ...(name === base.name ? {} : { name }),
      ...(description === (base.description ?? '') ? {} : { description: description || null }),
    }),
    update: async (id, change, ifMatch) => client.categories.update(id, change, { ifMatch }),
  },
}

/** Adds or changes a category. */
export function CategoryForm({
  category,
  close,
  saved,
}: Opened<Category> & { category: Category | undefined }) {
  const isNew = category === undefined
  return (
    <RecordEditor<Category, CategoryDraft, CategoryChange>
      title={isNew ? 'Add a category' : 'Edit the category'}
      submitLabel={isNew ? 'Add' : 'Save'}
      saver={categorySaver}
      record={category}
      draft={draftOf(category)}
      versions={{
        draftOf,
        compare: (mine, theirs) => compareTexts(labels, mine, draftOf(theirs)),
      }}
      done={({ id }) => (isNew ? `Category ${id} was added.` : `Category ${id} was saved.`)}
      saved={saved}
      close={close}
    >
      {({ text }) => (
        <>
          <TextInput label="Name" {...text('name')} spellCheck={false} autoFocus />
          <Textarea
            label="Description"
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
