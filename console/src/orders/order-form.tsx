import { TextInput } from '@mantine/core'
import type { NewOrder, Order } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { parseId } from '../base/int64-text.ts'
import { parseWholeNumber, wholeNumberHint } from '../base/whole-number.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import { PetSelect } from '../pets/pet-select.tsx'
import type { Opened } from '../table/record-page.tsx'
import { explainRefusal } from './explain-refusal.ts'

/** An order as it is being typed. */
type OrderDraft = { petId: string; quantity: string; reference: string }

/** How orders are placed: one, however often the same draft is sent. */
const saver: Saver<Order, OrderDraft, NewOrder, object> = {
  kind: 'order',
  labels: { petId: 'Pet', quantity: 'Quantity', reference: 'Reference' },
  mistakesIn({ petId, quantity }): Record<string, string> {
    const isCount = quantity.trim() === '' || parseWholeNumber(quantity) !== undefined
    return {
      ...(petId === '' ? { petId: 'Choose a pet.' } : {}),
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
      {({ draft, set, text, problems, isSaving }) => (
        <>
          <PetSelect
            label={saver.labels.petId}
            value={draft.petId}
            onChange={(petId) => set({ petId })}
            error={problems.petId}
            readOnly={isSaving}
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
