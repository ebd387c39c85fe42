export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
