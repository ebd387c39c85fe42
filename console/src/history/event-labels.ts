/** What happened, in words. */
export const eventLabels: Record<string, string> = {
  'pet.created': 'Pet added',
  'pet.updated': 'Pet changed',
  'pet.deleted': 'Pet withdrawn',
  'details.updated': 'Details changed',
  'details.deleted': 'Details deleted',
  'photo.updated': 'Photo stored',
  'photo.deleted': 'Photo deleted',
  'category.created': 'Category added',
  'category.updated': 'Category changed',
  'category.deleted': 'Category deleted',
  'order.placed': 'Order placed',
  'order.shipped': 'Order shipped',
  'order.delivered': 'Order delivered',
  'order.cancelled': 'Order cancelled',
  'order.expired': 'Order expired',
  'inventory.updated': 'Stock changed',
  'key.created': 'Key created',
  'key.updated': 'Key changed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'key.deleted': 'Key deleted',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.rotated': 'Webhook secret rotated',
  'webhook.disabled': 'Webhook disabled',
  'webhook.tested': 'Webhook tested',
}

/** A type of event that a later version has reads as it is named. */
export function labelOf(type: string): string {
  return eventLabels[type] ?? type
}

/** The kind of record of an event, such as `pet`. */
export function kindOf(type: string): string {
  return type.split('.')[0] ?? ''
}
