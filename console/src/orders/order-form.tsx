import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Order, Pet } from '../../../client/src/generated/records.ts'
import { client, noRetries } from '../api/client.ts'
import { following } from '../api/following.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import { PetStatusBadge } from '../pets/pet-status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import cells from '../table/cells.module.css'
import type { Opened } from '../table/record-page.tsx'
import { orderSaver } from './order-saver.ts'

/** Places an order. `pet`: the id of the pet, where the order was begun at one. */
export function OrderForm({ pet, close, saved }: Opened<Order> & { pet: string | undefined }) {
  return (
    <RecordEditor
      title="Place an order"
      submitLabel="Place"
      saver={orderSaver}
      draft={{ pet: pet ?? '', quantity: '1', reference: '' }}
      done={({ id }) => `Order ${id} was placed.`}
      saved={saved}
      close={close}
    >
      {({ draft, text, problems }) => (
        <>
          <TextInput
            label="Pet"
            description={<ChosenPet typed={draft.pet} />}
            inputMode="numeric"
            autoComplete="off"
            {...text('pet')}
            error={problems.petId}
            autoFocus={pet === undefined}
          />
          <TextInput
            label="Quantity"
            description="Units to order"
            inputMode="numeric"
            autoComplete="off"
            {...text('quantity')}
            autoFocus={pet !== undefined}
          />
          <TextInput
            label="Reference"
            description="Your own order number or note (optional)"
            {...text('reference')}
            spellCheck={false}
          />
        </>
      )}
    </RecordEditor>
  )
}

/** Which pet has the id that is typed. */
function ChosenPet({ typed }: { typed: string }) {
  const id = parseId(typed)
  const canReadPets = useHasScope('pets:read')
  const { data, isLoading } = useQuery({
    ...following<Pet | null>(['pet']),
    queryKey: ['pet to order', String(id)],
    queryFn: async ({ signal }) =>
      id === undefined
        ? null
        : ((await client.pets.list({ id }, { ...noRetries, signal })).data[0] ?? null),
    enabled: canReadPets && id !== undefined,
  })
  if (isLoading) return 'Looking for the pet …'
  if (!canReadPets || id === undefined || data === undefined) return 'The id of the pet'
  if (data === null) return 'There is no pet with this id'
  return (
    <span className={cells.line}>
      <UserText text={data.name} /> <PetStatusBadge status={data.status} />
    </span>
  )
}
