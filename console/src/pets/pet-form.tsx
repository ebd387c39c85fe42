import { Select, Textarea } from '@mantine/core'
import type { Int64, NewPet, PetChange } from '../../../client/src/index.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { client } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { parseId } from '../base/int64-text.ts'
import { CategoryName } from '../categories/category-name.tsx'
import { changedMembers } from '../editor/members.ts'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import { History } from '../history/history.tsx'
import { showProblem } from '../shared/toasts.ts'
import type { Opened } from '../table/record-page.tsx'
import { CategoryField } from './category-field.tsx'
import { DetailsFields } from './details-fields.tsx'
import {
  type DetailsDraft,
  detailsBodyOf,
  detailsDraftOf,
  detailsLabels,
  mistakesInDetails,
  type ShownPet,
  saveDetails,
} from './pet-details.ts'
import { findPet } from './pet-list.ts'
import { offeredStatuses, PetStatusBadge, petStatusBadges } from './pet-status.tsx'
import { PetPhoto } from './photo/pet-photo.tsx'

/** A pet as it is being typed; `categoryId`: '' for none. */
type PetDraft = DetailsDraft & {
  name: string
  categoryId: string
  status: PetStatus | undefined
}

/** The members of a pet, and of its details, in one request. */
type Body<Members> = Members & Partial<ReturnType<typeof detailsBodyOf>>

const saver: Saver<ShownPet, PetDraft, Body<NewPet>, Body<PetChange>> = {
  kind: 'pet',
  labels: { name: 'Name', categoryId: 'Category', status: 'Status', ...detailsLabels },
  mistakesIn: mistakesInDetails,
  bodyOf: ({ name, categoryId, status, ...told }) => ({
    ...{ name, categoryId: parseId(categoryId), status },
    ...detailsBodyOf(told),
  }),
  adding: {
    verb: 'Add',
    // An empty name is left out: the service says that it is missing.
    async send({ name, categoryId, status, ...told }, options) {
      const members = { ...(name && { name }), categoryId, ...(status && { status }) }
      const pet = await client.pets.create(members as NewPet, options)
      if (Object.keys(told).length > 0)
        await saveDetails(pet.id, told).catch((error) =>
          showProblem(`Pet ${pet.id} was added without its details: ${describeError(error)}`),
        )
      return versionOf(pet.id)
    },
  },
  changing: {
    verb: 'Edit',
    draftOf,
    fetchVersion,
    async send(id, { name, categoryId, status, ...told }, options) {
      if (Object.keys(told).length > 0) await saveDetails(id, told)
      const change = changedMembers({ name, categoryId, status }, {})
      if (Object.keys(change).length > 0) await client.pets.update(id, change, options)
      return versionOf(id)
    },
    shown: {
      categoryId: (id) => <CategoryName id={parseId(id) ?? 0} />,
      status: (status) => <PetStatusBadge status={status} />,
    },
  },
}

async function fetchVersion(id: Int64) {
  const version = await findPet(id)
  if (version === undefined) throw new Error(`Pet ${id} was withdrawn in the meantime.`)
  return version
}

async function versionOf(id: Int64): Promise<ShownPet> {
  return (await fetchVersion(id)).record
}

/** Adds or changes a pet. */
export function PetForm({ pet, ...opened }: Opened<ShownPet> & { pet: ShownPet | undefined }) {
  return (
    <RecordEditor saver={saver} record={pet} draft={draftOf(pet)} {...opened}>
      {(fields) => (
        <>
          <PetFields {...fields} status={pet?.status} />
          <DetailsFields {...fields} />
          {pet && <PetPhoto pet={pet} canWrite />}
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

function draftOf(pet: ShownPet | undefined): PetDraft {
  const told = detailsDraftOf(pet ?? {})
  return pet === undefined
    ? { name: '', categoryId: '', status: 'available', ...told }
    : { name: pet.name, categoryId: String(pet.categoryId), status: pet.status, ...told }
}
