import { Select, Textarea } from '@mantine/core'
import type { NewPet, Pet, PetChange } from '../../../client/src/index.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { client } from '../api/client.ts'
import { parseId } from '../base/int64-text.ts'
import { CategoryName } from '../categories/category-name.tsx'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import { History } from '../history/history.tsx'
import type { Opened } from '../table/record-page.tsx'
import { CategoryField } from './category-field.tsx'
import { findPet } from './pet-list.ts'
import { offeredStatuses, PetStatusBadge, petStatusBadges } from './pet-status.tsx'

/** A pet as it is being typed; `categoryId`: '' for none. */
type PetDraft = { name: string; categoryId: string; status: PetStatus | undefined }

const saver: Saver<Pet, PetDraft, NewPet, PetChange> = {
  kind: 'pet',
  labels: { name: 'Name', categoryId: 'Category', status: 'Status' },
  bodyOf: ({ name, categoryId, status }) => ({ name, categoryId: parseId(categoryId), status }),
  adding: {
    verb: 'Add',
    // An empty name is left out: the service says that it is missing.
    send: ({ name, ...pet }, options) =>
      client.pets.create({ ...pet, ...(name && { name }) } as NewPet, options),
  },
  changing: {
    verb: 'Edit',
    draftOf,
    async fetchVersion(id) {
      const version = await findPet(id)
      if (version === undefined) throw new Error(`Pet ${id} was withdrawn in the meantime.`)
      return version
    },
    send: (id, change, options) => client.pets.update(id, change, options),
    shown: {
      categoryId: (id) => <CategoryName id={parseId(id) ?? 0} />,
      status: (status) => <PetStatusBadge status={status} />,
    },
  },
}

/** Adds or changes a pet. */
export function PetForm({ pet, ...opened }: Opened<Pet> & { pet: Pet | undefined }) {
  return (
    <RecordEditor saver={saver} record={pet} draft={draftOf(pet)} {...opened}>
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
  const { draft, set, text, problems, isSaving, submit, status } = fields
  return (
    <>
      <Textarea
        {...text('name')}
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
      <CategoryField
        value={draft.categoryId}
        onChange={(categoryId) => set({ categoryId })}
        error={problems.categoryId}
        readOnly={isSaving}
      />
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

function draftOf(pet: Pet | undefined): PetDraft {
  return pet === undefined
    ? { name: '', categoryId: '', status: 'available' }
    : { name: pet.name, categoryId: String(pet.categoryId), status: pet.status }
}
