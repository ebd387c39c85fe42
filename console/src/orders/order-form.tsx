import { TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '../../../client/src/generated/records.ts'
import { client, once } from '../api/client.ts'
import { PetStatusBadge } from '../pets/pet-status-badge.tsx'
import { useMay } from '../session/session.ts'
import { parseId } from '../shared/int64-text.ts'
import { RecordForm } from '../shared/record-form.tsx'
import { say } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './orders-page.module.css'
import { type OrderDraft, usePlaceOrder } from './use-place-order.ts'

type Props = {
  /** The id of the pet, where the order was begun at one. */
  pet: string | undefined
  close(): void
  placed(order: Order): void
}

/** Places an order. What the service says is told at the fields. */
export function OrderForm({ pet, close, placed }: Props) {
  const [draft, setDraft] = useState<OrderDraft>({ pet: pet ?? '', quantity: '1', reference: '' })
  const { isPlacing, problems, place } = usePlaceOrder()
  const set = (changes: Partial<OrderDraft>) => setDraft({ ...draft, ...changes })

  async function submit() {
    const order = await place(draft)
    if (order === undefined) return
    say(`Order ${order.id} was placed.`)
    placed(order)
    close()
  }

  return (
    <RecordForm
      title="Place an order"
      submitLabel="Place"
      isSaving={isPlacing}
      problem={problems.whole}
      submit={() => void submit()}
      close={close}
    >
      <TextInput
        label="Pet"
        description={<ChosenPet typed={draft.pet} />}
        inputMode="numeric"
        autoComplete="off"
        value={draft.pet}
        error={problems.fields.petId}
        onChange={({ currentTarget }) => set({ pet: currentTarget.value })}
        autoFocus={pet === undefined}
      />
      <TextInput
        label="Quantity"
        description="How many of it"
        inputMode="numeric"
        autoComplete="off"
        value={draft.quantity}
        error={problems.fields.quantity}
        onChange={({ currentTarget }) => set({ quantity: currentTarget.value })}
        autoFocus={pet !== undefined}
      />
      <TextInput
        label="Reference"
        description="Your own number or word for it; it may stay empty"
        value={draft.reference}
        error={problems.fields.reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
        spellCheck={false}
      />
    </RecordForm>
  )
}

/** Which pet has the id that is typed. */
function ChosenPet({ typed }: { typed: string }) {
  const id = parseId(typed)
  const canReadPets = useMay('pets:read')
  const { data } = useQuery({
    queryKey: ['pet to order', String(id)],
    queryFn: async ({ signal }) =>
      id === undefined
        ? null
        : ((await client.pets.list({ id }, { ...once, signal })).data[0] ?? null),
    enabled: canReadPets && id !== undefined,
    placeholderData: keepPreviousData,
  })
  if (!canReadPets || id === undefined || data === undefined) return 'The id of the pet'
  if (data === null) return 'There is no pet with this id'
  return (
    <span className={classes.chosen}>
      <UserText text={data.name} /> <PetStatusBadge status={data.status} />
    </span>
  )
}
