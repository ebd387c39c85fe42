import { type Int64, type Order, PetstoreApiError } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { formatCount } from '../base/format.ts'
import { nextMoves } from './order-statuses.ts'

/** The most orders that are looked at, and those that are named. */
const [readMax, namedMax] = [100, 5]

/** Why an order was refused: what the service says, and the open orders that hold the pet. */
export async function explainRefusal(error: unknown, petId: Int64 | undefined): Promise<string> {
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
