export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'lost'] as const
