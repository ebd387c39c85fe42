export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled', 'expired'] as const

export function isOrderStatus(value: unknown): boolean {
  return (orderStatuses as readonly unknown[]).includes(value)
}
