import type { NewOrder, Order } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { parseId } from '../base/int64-text.ts'
import { parseWholeNumber, wholeNumberHint } from '../base/whole-number.ts'
import type { Saver } from '../editor/use-save.ts'
import { explainRefusal } from './explain-refusal.ts'

/** An order as it is being typed. */
type OrderDraft = { pet: string; quantity: string; reference: string }

/** How orders are placed: one, however often the same draft is sent. */
export const orderSaver: Saver<Order, OrderDraft> = {
  kind: 'order',
  fieldLabels: { petId: 'Pet', quantity: 'Quantity', reference: 'Reference' },
  mistakesIn,
  add: async (draft, idempotencyKey) => client.orders.create(newOrderOf(draft), { idempotencyKey }),
  explain: (error, { pet }) => explainRefusal(error, parseId(pet)),
}

/** What a person typed that is no number where one belongs. */
function mistakesIn({ pet, quantity }: OrderDraft): Record<string, string> {
  const isId = pet.trim() === '' || parseId(pet) !== undefined
  const isCount = quantity.trim() === '' || parseWholeNumber(quantity) !== undefined
  return {
    ...(isId ? {} : { petId: 'Type the id of a pet, such as 12.' }),
    ...(isCount ? {} : { quantity: wholeNumberHint }),
  }
}

/** Empty fields are omitted; the service reports those that it requires. */
function newOrderOf({ pet, quantity, reference }: OrderDraft): NewOrder {
  const petId = parseId(pet)
  const count = parseWholeNumber(quantity)
  return {
    ...(petId === undefined ? {} : { petId }),
    ...(count === undefined ? {} : { quantity: count }),
    ...(reference === '' ? {} : { reference }),
  } as NewOrder
}
