import { Select, Textarea } from '@mantine/core'
import type { Pet, PetChange } from '../../../client/src/generated/records.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { parseId } from '../base/int64-text.ts'
import { CategoryName } from '../categories/category-name.tsx'
import type { Versions } from '../editor/conflict.tsx'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import { History } from '../events/history.tsx'
import { UserText } from '../shared/user-text.tsx'
import type { Opened } from '../table/record-page.tsx'
import { CategoryField } from './category-field.tsx'
import { draftOf, type PetDraft } from './pet-draft.ts'
import { petSaver } from './pet-saver.ts'
import { PetStatusBadge } from './pet-status-badge.tsx'
import { offeredStatuses, petStatusBadges } from './pet-statuses.ts'

type Props = Opened<Pet> & {
  /** The pet to change; a new one where there is none. */
  pet: Pet | undefined
}

/** Adds or changes a pet. */
export function PetForm({ pet, close, saved }: Props) {
  const isNew = pet === undefined
  return (
    <RecordEditor<Pet, PetDraft, PetChange>
      title={isNew ? 'Add a pet' : 'Edit the pet'}
      submitLabel={isNew ? 'Add' : 'Save'}
      saver={petSaver}
      record={pet}
      draft={draftOf(pet)}
      versions={{ draftOf, compare }}
      done={({ id }) => (isNew ? `Pet ${id} was added.` : `Pet ${id} was saved.`)}
      saved={saved}
      close={close}
    >
      {(fields) => (
        <>
          <PetFields {...fields} status={pet?.status} />
          {pet && <History of={{ petId: pet.id }} />}
        </>
      )}
    </RecordEditor>
  )
}

/** `status`: that of the pet as it is saved. */
function PetFields(fields: FieldTools<PetDraft> & { status: PetStatus | undefined }) {
  const { draft, set, problems, isSaving, submit, status } = fields
  return (
    <>
      <Textarea
        label="Name"
        value={draft.name}
        readOnly={isSaving}
        error={problems.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        onKeyDown={(event) => {
          // A name has one line.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (!event.ctrlKey && !event.metaKey && !event.repeat) submit()
        }}
        autosize
        minRows={1}
        maxRows={4}
        autoFocus
        spellCheck={false}
      />
      <CategoryField draft={draft} set={set} error={problems.categoryId} readOnly={isSaving} />
      <Select
        label="Status"
        placeholder="None"
        value={draft.status ?? null}
        error={problems.status}
        onChange={(value) => set({ status: (value ?? undefined) as PetStatus | undefined })}
        data={offeredStatuses(status).map((value) => ({
          value,
          label: petStatusBadges[value].label,
        }))}
        readOnly={isSaving}
        allowDeselect={false}
        clearable={status === undefined}
        clearButtonProps={{ 'aria-label': 'No status' }}
      />
    </>
  )
}

/** My version of a pet beside theirs. */
function compare(mine: PetDraft, pet: Pet): Versions[] {
  const theirs = draftOf(pet)
  const category = (text: string) => <CategoryName id={parseId(text) ?? pet.categoryId} />
  return [
    {
      label: 'Name',
      mine: <UserText text={mine.name} isWhole />,
      theirs: <UserText text={theirs.name} isWhole />,
      differs: mine.name !== theirs.name,
    },
    {
      label: 'Category',
      mine: category(mine.category),
      theirs: category(theirs.category),
      differs: mine.category !== theirs.category,
    },
    {
      label: 'Status',
      mine: <PetStatusBadge status={mine.status} />,
      theirs: <PetStatusBadge status={theirs.status} />,
      differs: mine.status !== theirs.status,
    },
  ]
}
