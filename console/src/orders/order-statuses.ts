import type { OrderStatus } from '../../../client/src/index.ts'

/** How a status reads, and how it looks. */
export const orderStatusBadges = {
  pending: { label: 'Pending', tone: 'waiting' },
  shipped: { label: 'Shipped', tone: 'good' },
  delivered: { label: 'Delivered', tone: 'over' },
  cancelled: { label: 'Cancelled', tone: 'none' },
  expired: { label: 'Expired', tone: 'none' },
} as const satisfies Record<OrderStatus, object>

/** What can be done to an order of a status; nothing where it is missing. */
export const nextMoves: { readonly [Status in OrderStatus]?: readonly Move[] } = {
  pending: ['ship', 'cancel'],
  shipped: ['deliver'],
}

export type Move = 'ship' | 'deliver' | 'cancel'
