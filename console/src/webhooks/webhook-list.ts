import { useQuery } from '@tanstack/react-query'
import type { Int64, Webhook } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { labelOf } from '../history/event-labels.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

// No event tells of a delivery, so what depends on one is polled.
const kinds = ['webhook', 'delivery']

/** The types of events in words, such as `Order placed, Pet added`. */
export function describeTypes(types: readonly string[] | undefined): string {
  return types?.map(labelOf).join(', ') ?? 'Everything'
}

/** All webhooks, in the order in which they were created. */
export function useWebhookList(): RecordList<Webhook> {
  return useRecordList<Webhook>({
    key: ['webhooks'],
    kinds,
    order: 'id',
    async fetch({ id, ...query }, options) {
      // Without filters, one that is missing was deleted.
      if (id !== undefined) return { data: [], nextCursor: undefined }
      return reader.webhooks.list(query, options)
    },
  })
}

/** The webhook that deliveries are of, kept up to date; undefined until it is known. */
export function useWebhook(id: Int64): Webhook | undefined {
  const { data } = useQuery({
    ...following<Webhook>(kinds),
    queryKey: ['webhook', String(id)],
    queryFn: ({ signal }) => reader.webhooks.get(id, { signal }),
  })
  return data
}
