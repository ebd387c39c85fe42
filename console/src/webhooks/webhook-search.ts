import type { DeliveryStatus } from '../../../client/src/index.ts'
import { isIdText, searchReader } from '../base/search-params.ts'

/** What became of a delivery, in words. */
export const deliveryStates = {
  pending: { label: 'Waiting', tone: 'waiting' },
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'over' },
} as const

/** What the address of the webhooks page says: `of` names the webhook whose deliveries are listed. */
export type WebhookSearch = { at?: string; of?: string; status?: DeliveryStatus; event?: string }

export const readWebhookSearch = searchReader<WebhookSearch>({
  at: isIdText,
  of: isIdText,
  status: (value) => String(value) in deliveryStates,
  event: isIdText,
})
