export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled', 'expired'] as const

export function isOrderStatus(value: unknown): value is (typeof orderStatuses)[number] {
  return (orderStatuses as readonly unknown[]).includes(value)
}
