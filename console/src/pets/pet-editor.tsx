import { Button, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { PetStatus } from '../../../src/features/pets/pet-status.ts'
import type { Categories } from '../api/categories.ts'
import { mergedDraft, type Version } from '../api/use-save.ts'
import { categoryOptions } from '../shared/category-options.ts'
import { Conflict } from '../shared/conflict.tsx'
import { Icon } from '../shared/icon.tsx'
import { parseId } from '../shared/int64-text.ts'
import { RecordForm } from '../shared/record-form.tsx'
import { say } from '../shared/toasts.ts'
import { draftOf, type PetDraft } from './pet-draft.ts'
import { offeredStatuses, statusLooks } from './pet-statuses.ts'
import { petVersions } from './pet-versions.tsx'
import { useSavePet } from './use-save-pet.ts'

type Props = {
  /** The pet to change; a new one where there is none. */
  pet: Pet | undefined
  categories: Categories
  close(): void
  saved(pet: Pet): void
  withdraw(pet: Pet): void
}

/** Adds or changes a pet in its place in the list. What the service says is told at the fields. */
export function PetEditor({ pet, categories, close, saved, withdraw }: Props) {
  const [draft, setDraft] = useState<PetDraft>(() => draftOf(pet))
  const [typedCategory, setTypedCategory] = useState('')
  const { isSaving, problems, theirs, save, accept } = useSavePet(pet)
  const set = (changes: Partial<PetDraft>) => setDraft({ ...draft, ...changes })

  async function submit(chosen = draft, over?: Version<Pet>) {
    const done = await save(chosen, over)
    if (done === undefined) return
    say(pet === undefined ? `Pet ${done.id} was added.` : `Pet ${done.id} was saved.`)
    saved(done)
    close()
  }

  const mine = theirs && pet ? mergedDraft(draft, draftOf(pet), draftOf(theirs.record)) : draft
  const question = theirs && (
    <Conflict
      of="pet"
      members={petVersions(mine, theirs.record, categories)}
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
  const typedId = parseId(typedCategory) === undefined ? draft.category : typedCategory.trim()
  return (
    <RecordForm
      title={pet === undefined ? 'Add a pet' : 'Edit the pet'}
      subject={pet && { of: 'pet', id: pet.id }}
      submitLabel={pet === undefined ? 'Add' : 'Save'}
      isSaving={isSaving}
      problem={problems.whole}
      submit={() => void submit()}
      close={close}
      question={question}
      more={
        pet && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => {
              withdraw(pet)
              close()
            }}
          >
            Withdraw
          </Button>
        )
      }
    >
      <Textarea
        label="Name"
        value={draft.name}
        error={said('Name', problems.fields.name)}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        onKeyDown={(event) => {
          // A name has one line.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (!isSaving) void submit()
        }}
        autosize
        minRows={1}
        maxRows={4}
        autoFocus
        spellCheck={false}
      />
      <Select
        label="Category"
        placeholder="Choose, or type a number"
        value={draft.category === '' ? null : draft.category}
        error={said('Category', problems.fields.categoryId)}
        onChange={(value) => set({ category: value ?? '' })}
        onSearchChange={setTypedCategory}
        data={categoryOptions(categories, typedId)}
        searchable
        limit={100}
        nothingFoundMessage="No such category. A number is taken as it is."
      />
      <Select
        label="Status"
        placeholder="None"
        value={draft.status ?? null}
        error={said('Status', problems.fields.status)}
        onChange={(value) => set({ status: (value ?? undefined) as PetStatus | undefined })}
        data={offeredStatuses(pet?.status).map((value) => ({
          value,
          label: statusLooks[value].label,
        }))}
        clearable={pet?.status === undefined}
        clearButtonProps={{ 'aria-label': 'No status' }}
      />
    </RecordForm>
  )
}

/** What the service says of a field begins after its name. */
function said(label: string, detail: string | undefined): string | undefined {
  return detail && `${label} ${detail}`
}
