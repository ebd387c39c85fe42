import { useRef, useState } from 'react'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { NewOrder, Order } from '../../../client/src/generated/records.ts'
import { client, once } from '../api/client.ts'
import { describeError, problemsByField } from '../api/describe-error.ts'
import type { Problems } from '../api/use-save.ts'
import { parseId } from '../shared/int64-text.ts'
import { count } from '../shared/numbers.ts'
import { randomName } from '../shared/random-name.ts'
import { parseWholeNumber, wholeNumberHint } from '../shared/whole-number.ts'

/** An order as it is being typed. */
export type OrderDraft = { pet: string; quantity: string; reference: string }

const none: Problems = { fields: {}, whole: undefined }
const fieldNames = ['petId', 'quantity', 'reference']

type Placing = {
  isPlacing: boolean
  problems: Problems
  /** Resolves to the order, or to undefined: then `problems` says why. */
  place(draft: OrderDraft): Promise<Order | undefined>
}

/** Places an order: one, however often the same draft is sent. */
export function usePlaceOrder(): Placing {
  const [isPlacing, setIsPlacing] = useState(false)
  const [problems, setProblems] = useState(none)
  const lastTry = useRef({ draft: '', key: '' })

  async function place(draft: OrderDraft): Promise<Order | undefined> {
    const mistakes = mistakesIn(draft)
    setProblems({ fields: mistakes, whole: undefined })
    if (Object.keys(mistakes).length > 0) return undefined
    setIsPlacing(true)
    const text = JSON.stringify(draft)
    if (lastTry.current.draft !== text) lastTry.current = { draft: text, key: randomName() }
    try {
      return await client.orders.create(newOrderOf(draft), { idempotencyKey: lastTry.current.key })
    } catch (error) {
      const fields = problemsByField(error)
      const isAtFields = fieldNames.some((name) => fields[name] !== undefined)
      const whole = isAtFields ? fields[''] : await explain(error, draft)
      setProblems({ fields, whole })
      return undefined
    } finally {
      setIsPlacing(false)
    }
  }

  return { isPlacing, problems, place }
}

/** What was not typed is missing: the service says what it needs. */
function newOrderOf({ pet, quantity, reference }: OrderDraft): NewOrder {
  const petId = parseId(pet)
  const count = parseWholeNumber(quantity)
  return {
    ...(petId === undefined ? {} : { petId }),
    ...(count === undefined ? {} : { quantity: count }),
    ...(reference === '' ? {} : { reference }),
  } as NewOrder
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

/** The message of the service, and which orders were faster. */
async function explain(error: unknown, { pet }: OrderDraft): Promise<string> {
  const message = describeError(error)
  const petId = parseId(pet)
  const isTaken =
    error instanceof PetstoreApiError &&
    (error.code === 'pet_not_available' || error.code === 'insufficient_stock')
  if (!isTaken || petId === undefined) return message
  try {
    const query = { petId, sort: '-id', limit: 1 } as const
    const { data } = await client.orders.list(query, once)
    const [last] = data
    if (last === undefined || (last.status !== 'pending' && last.status !== 'shipped')) {
      return message
    }
    return `${message} Order ${last.id} took ${count(last.quantity)} of it.`
  } catch {
    return message
  }
}
