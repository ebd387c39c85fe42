import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import type { NamedOrder } from './order-list.ts'
import { type Move, nextMoves } from './order-statuses.ts'

const moves = {
  ship: { label: 'Ship', shortcut: 's', verb: 'Shipping', done: 'shipped' },
  deliver: { label: 'Deliver', shortcut: 'd', verb: 'Delivering', done: 'delivered' },
  cancel: {
    label: 'Cancel',
    shortcut: 'Delete',
    isQuiet: true,
    verb: 'Cancelling',
    done: 'cancelled',
  },
} as const satisfies Record<Move, object>

/** What can be done to an order: each after some seconds in which it can be undone. */
export const orderActions = (['ship', 'deliver', 'cancel'] as const).map(
  (move): RecordAction<NamedOrder> => ({
    ...moves[move],
    scope: 'orders:write',
    isOffered: ({ status }) => nextMoves[status]?.includes(move) ?? false,
    run(order, { put }) {
      const { id, petId, petName = `pet ${petId}` } = order
      delay({
        id: `order ${id}`,
        verb: `${moves[move].verb} the order of`,
        name: petName,
        done: `Order ${id} was ${moves[move].done}.`,
        send: async () => put({ ...order, ...(await send(order, move)) }),
      })
    },
  }),
)

/** What the move has changed of an order. */
async function send({ id }: NamedOrder, move: Move): Promise<Partial<NamedOrder>> {
  if (move !== 'cancel') return client.orders[move](id)
  await client.orders.cancel(id)
  return { status: 'cancelled' }
}
