import { TextInput } from '@mantine/core'
import {
  type Int64,
  type NewOrder,
  type Order,
  PetstoreApiError,
} from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { formatCount } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { parseWholeNumber, wholeNumberHint } from '../base/whole-number.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import { PetSelect } from '../pets/pet-select.tsx'
import type { Opened } from '../table/record-page.tsx'
import { nextMoves } from './order-statuses.ts'

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

/** The most orders that are looked at, and those that are named. */
const [readMax, namedMax] = [100, 5]

/** Why an order was refused: what the service says, and the open orders that hold the pet. */
async function explainRefusal(error: unknown, petId: Int64 | undefined): Promise<string> {
  const message = describeError(error)
  const code = error instanceof PetstoreApiError && error.code
  if (code !== 'pet_not_available' && code !== 'insufficient_stock') return message
  try {
    const { data } = await reader.orders.list({ petId, sort: '-id', limit: readMax })
    return `${message}${holdersIn(data)}`
  } catch {
    // Who may place orders may not always read them.
    return message
  }
}

function holdersIn(orders: readonly Order[]): string {
  const open = orders.filter(({ status }) => status in nextMoves)
  const named = open
    .slice(0, namedMax)
    .map(({ id, quantity }) => `order ${id} (${formatCount(quantity)})`)
  const others = open.length > namedMax ? ' and others' : ''
  return open.length === 0 ? '' : ` Held by ${named.join(', ')}${others}.`
}
