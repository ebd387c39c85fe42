import type { Context } from '../../context/context.ts'
import { moveOrder } from './move-order.ts'

/** Cancels an order: what it held is free again. Throws `not_found`, `order_not_cancellable`. */
export async function cancelOrder({ db, clock }: Context, id: bigint): Promise<undefined> {
  await db.write(moveOrder, { id, target: 'cancelled', now: clock() })
}
