import { useQuery } from '@tanstack/react-query'
import type { Int64, Webhook } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { labelOf } from '../events/event-labels.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** A webhook as the list shows it: its types are one text, `*` for all. */
export type WebhookRow = Omit<Webhook, 'types'> & { types: string; description: string }

export const allTypes = '*'

// No event tells of a delivery, so what depends on one is polled.
const kinds = ['webhook', 'delivery']

export function webhookRowOf({ types, description = '', ...webhook }: Webhook): WebhookRow {
  return { ...webhook, description, types: types?.join(' ') ?? allTypes }
}

/** The types of events in words, such as `Order placed, Pet added`. */
export function describeTypes(types: string): string {
  return types === allTypes ? 'Everything' : types.split(' ').map(labelOf).join(', ')
}

/** All webhooks, in the order in which they were created. */
export function useWebhookList(): RecordList<WebhookRow> {
  return useRecordList<WebhookRow>({
    key: ['webhooks'],
    kinds,
    order: 'id',
    async fetch({ id, ...query }, options) {
      // Without filters, one that is missing was deleted.
      if (id !== undefined) return { data: [], nextCursor: undefined }
      const { data, nextCursor } = await reader.webhooks.list(query, options)
      return { data: data.map(webhookRowOf), nextCursor }
    },
  })
}

/** A webhook as it is now; throws where there is none. */
export async function fetchWebhook(id: Int64, signal?: AbortSignal): Promise<WebhookRow> {
  return webhookRowOf(await reader.webhooks.get(id, { signal }))
}

/** The webhook that deliveries are of, kept up to date; undefined until it is known. */
export function useWebhook(id: Int64): WebhookRow | undefined {
  const { data } = useQuery({
    ...following<WebhookRow>(kinds),
    queryKey: ['webhook', String(id)],
    queryFn: ({ signal }) => fetchWebhook(id, signal),
  })
  return data
}
