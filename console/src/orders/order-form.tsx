import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NewOrder, Order, Pet } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { parseWholeNumber, wholeNumberHint } from '../base/whole-number.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/use-save.ts'
import { PetStatusBadge } from '../pets/pet-status.tsx'
import { UserText } from '../shared/user-text.tsx'
import cells from '../table/cells.module.css'
import type { Opened } from '../table/record-page.tsx'
import { explainRefusal } from './explain-refusal.ts'

/** An order as it is being typed. */
type OrderDraft = { petId: string; quantity: string; reference: string }

/** How orders are placed: one, however often the same draft is sent. */
const saver: Saver<Order, OrderDraft, NewOrder, object> = {
  kind: 'order',
  labels: { petId: 'Pet', quantity: 'Quantity', reference: 'Reference' },
  mistakesIn({ petId, quantity }): Record<string, string> {
    const isId = petId.trim() === '' || parseId(petId) !== undefined
    const isCount = quantity.trim() === '' || parseWholeNumber(quantity) !== undefined
    return {
      ...(isId ? {} : { petId: 'Type the id of a pet, such as 12.' }),
      ...(isCount ? {} : { quantity: wholeNumberHint }),
    }
  },
  bodyOf: ({ petId, quantity, reference }) => ({
    petId: parseId(petId),
    quantity: parseWholeNumber(quantity),
    reference: reference || undefined,
  }),
  adding: {
    verb: 'Place',
    send: (order, options) => client.orders.create(order, options),
  },
  explain: (error, { petId }) => explainRefusal(error, parseId(petId)),
}

/** Places an order. `pet`: the id of the pet, where the order was begun at one. */
export function OrderForm({ pet, ...opened }: Opened<Order> & { pet: string | undefined }) {
  const draft = { petId: pet ?? '', quantity: '1', reference: '' }
  return (
    <RecordEditor saver={saver} draft={draft} {...opened}>
      {({ draft, text }) => (
        <>
          <TextInput
            description={<ChosenPet typed={draft.petId} />}
            inputMode="numeric"
            autoComplete="off"
            {...text('petId')}
            autoFocus={pet === undefined}
          />
          <TextInput
            description="Units to order"
            inputMode="numeric"
            autoComplete="off"
            {...text('quantity')}
            autoFocus={pet !== undefined}
          />
          <TextInput
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
      id === undefined ? null : ((await reader.pets.list({ id }, { signal })).data[0] ?? null),
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
