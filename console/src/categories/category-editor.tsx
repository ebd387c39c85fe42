import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Category } from '../../../client/src/generated/records.ts'
import { mergedDraft, type Version } from '../api/use-save.ts'
import { Conflict } from '../shared/conflict.tsx'
import { RecordForm } from '../shared/record-form.tsx'
import { say } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import { type CategoryDraft, draftOf, useSaveCategory } from './use-save-category.ts'

type Props = {
  /** The category to change; a new one where there is none. */
  category: Category | undefined
  close(): void
  saved(category: Category): void
}

/** Adds or changes a category in its place in the list. What the service says is told at the fields. */
export function CategoryEditor({ category, close, saved }: Props) {
  const [draft, setDraft] = useState<CategoryDraft>(() => draftOf(category))
  const { isSaving, problems, theirs, save, accept } = useSaveCategory(category)
  const isNew = category === undefined

  async function submit(chosen = draft, over?: Version<Category>) {
    const done = await save(chosen, over)
    if (done === undefined) return
    say(isNew ? `Category ${done.id} was added.` : `Category ${done.id} was saved.`)
    saved(done)
    close()
  }

  const mine =
    theirs && category ? mergedDraft(draft, draftOf(category), draftOf(theirs.record)) : draft
  const question = theirs && (
    <Conflict
      of="category"
      members={membersOf(mine, draftOf(theirs.record))}
      keepMine={() => {
        setDraft(mine)
        void submit(mine, theirs)
      }}
      takeTheirs={() => {
        saved(theirs.record)
        close()
      }}
      edit={() => {
        setDraft(mine)
        accept(theirs)
      }}
    />
  )
  return (
    <RecordForm
      title={isNew ? 'Add a category' : 'Edit the category'}
      subject={category && { of: 'category', id: category.id }}
      submitLabel={isNew ? 'Add' : 'Save'}
      isSaving={isSaving}
      problem={problems.whole}
      submit={() => void submit()}
      close={close}
      question={question}
    >
      <TextInput
        label="Name"
        value={draft.name}
        error={problems.fields.name}
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
        spellCheck={false}
        autoFocus
      />
      <Textarea
        label="Description"
        description="Which pets belong to it. It may stay empty."
        value={draft.description}
        error={problems.fields.description}
        onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
        autosize
        minRows={1}
        maxRows={6}
      />
    </RecordForm>
  )
}

function membersOf(mine: CategoryDraft, theirs: CategoryDraft) {
  const labels = { name: 'Name', description: 'Description' }
  return (['name', 'description'] as const).map((name) => ({
    label: labels[name],
    mine: <UserText text={mine[name]} isWhole />,
    theirs: <UserText text={theirs[name]} isWhole />,
    differs: mine[name] !== theirs[name],
  }))
}
