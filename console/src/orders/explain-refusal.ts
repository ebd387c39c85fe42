import { type Int64, type OrderStatus, PetstoreApiError } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { describeTaken, namedMax } from './describe-taken.ts'

/** Why an order was refused: where other orders took the pet, which ones; else what the service says. */
export async function explainRefusal(error: unknown, petId: Int64 | undefined): Promise<string> {
  const message = describeError(error)
  if (petId === undefined || !(error instanceof PetstoreApiError)) return message
  if (error.code !== 'pet_not_available' && error.code !== 'insufficient_stock') return message
  try {
    const newest = async (status: OrderStatus) => {
      const query = { petId, status, sort: '-id', limit: namedMax + 1 } as const
      return (await reader.orders.list(query)).data
    }
    const [pending, shipped, delivered, pets] = await Promise.all([
      newest('pending'),
      newest('shipped'),
      newest('delivered'),
      reader.pets.list({ id: petId }).then(({ data }) => data),
    ])
    return describeTaken({
      message,
      isShort: error.code === 'insufficient_stock',
      pet: pets[0],
      open: [...pending, ...shipped],
      lastDelivered: delivered[0],
    })
  } catch {
    // Who may place orders may not always read them, or pets.
    return message
  }
}
