import { isIdText, searchReader } from '../base/search-params.ts'

/** What became of a delivery, in words. */
export const deliveryStates = {
  pending: { label: 'Waiting', tone: 'waiting' },
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'over' },
} as const

/** Reads the address of the webhooks page: `of` names the webhook whose deliveries are listed. */
export const readWebhookSearch = searchReader({
  at: isIdText,
  of: isIdText,
  status: (value): value is keyof typeof deliveryStates => String(value) in deliveryStates,
  event: isIdText,
})
export type WebhookSearch = ReturnType<typeof readWebhookSearch>
