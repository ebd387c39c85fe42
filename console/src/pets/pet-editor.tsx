import { Button, Select, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { PetStatus } from '../../../src/features/pets/pet-status.ts'
import type { Categories } from '../api/categories.ts'
import { categoryOptions } from '../shared/category-options.ts'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import { parseId } from '../shared/int64-text.ts'
import { say } from '../shared/toasts.ts'
import { PetConflict } from './pet-conflict.tsx'
import { draftOf, mergedDraft, type PetDraft } from './pet-draft.ts'
import classes from './pet-editor.module.css'
import { offeredStatuses, statusLooks } from './pet-statuses.ts'
import type { PetVersion } from './use-pets.ts'
import { useSavePet } from './use-save-pet.ts'

type Props = {
  /** The pet to change; a new one where there is none. */
  pet: Pet | undefined
  categories: Categories
  close(): void
  saved(pet: Pet): void
}

/** Adds or changes a pet in its place in the list. What the service says is told at the fields. */
export function PetEditor({ pet, categories, close, saved }: Props) {
  const titleId = useId()
  const [draft, setDraft] = useState<PetDraft>(() => draftOf(pet))
  const [typedCategory, setTypedCategory] = useState('')
  const { isSaving, problems, theirs, save, accept } = useSavePet(pet)
  const set = (changes: Partial<PetDraft>) => setDraft({ ...draft, ...changes })

  async function submit(event?: FormEvent, chosen?: { draft: PetDraft; over: PetVersion }) {
    event?.preventDefault()
    if (isSaving) return
    const done = await save(chosen?.draft ?? draft, chosen?.over)
    if (done === undefined) return
    say(pet === undefined ? `Pet ${done.id} was added.` : `Pet ${done.id} was saved.`)
    saved(done)
    close()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.defaultPrevented) close()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }

  const mine = theirs && pet ? mergedDraft(draft, pet, theirs.pet) : draft
  const typedId = parseId(typedCategory) === undefined ? draft.category : typedCategory.trim()
  return (
    <form
      className={classes.editor}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      noValidate
    >
      <header className={classes.head}>
        <h2 id={titleId}>{pet === undefined ? 'Add a pet' : 'Edit the pet'}</h2>
        {pet !== undefined && <IdText id={pet.id} of="pet" />}
      </header>
      {theirs === undefined ? (
        <>
          <div className={classes.fields}>
            <Textarea
              label="Name"
              className={classes.name}
              value={draft.name}
              error={said('Name', problems.fields.name)}
              onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              onKeyDown={(event) => {
                // A name has one line.
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                void submit()
              }}
              autosize
              minRows={1}
              maxRows={4}
              data-autofocus
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
              data={offeredStatuses(pet === undefined ? undefined : pet.status).map((value) => ({
                value,
                label: statusLooks[value].label,
              }))}
              clearable={pet?.status === undefined}
              clearButtonProps={{ 'aria-label': 'No status' }}
            />
          </div>
          {problems.whole !== undefined && (
            <p role="alert" className={classes.problem}>
              <Icon name="alert" /> {problems.whole}
            </p>
          )}
          <footer className={classes.buttons}>
            <Button type="submit" loading={isSaving}>
              {pet === undefined ? 'Add' : 'Save'}
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <span className={classes.hint}>Enter saves, Esc closes</span>
          </footer>
        </>
      ) : (
        <PetConflict
          mine={mine}
          theirs={theirs.pet}
          categories={categories}
          takeTheirs={() => {
            saved(theirs.pet)
            close()
          }}
          keepMine={() => {
            setDraft(mine)
            void submit(undefined, { draft: mine, over: theirs })
          }}
          edit={() => {
            accept(theirs)
            setDraft(mine)
          }}
        />
      )}
    </form>
  )
}

/** What the service says of a field begins after its name. */
function said(label: string, detail: string | undefined): string | undefined {
  return detail && `${label} ${detail}`
}
