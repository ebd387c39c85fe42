import type { Delivery, Int64 } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { neighbourOf, parseId } from '../base/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'
import type { WebhookSearch } from './webhook-search.ts'

/** The deliveries of a webhook that match the address: the newest first. */
export function useDeliveryList(
  of: Int64,
  { status, event = '' }: WebhookSearch,
): RecordList<Delivery> {
  return useRecordList<Delivery>({
    key: ['deliveries', String(of), status, event],
    // No event tells of them: the list is polled.
    kinds: ['delivery'],
    order: '-id',
    filter: { status, eventId: parseId(event) },
    async fetch({ id: ids, ...query }, options) {
      if (ids?.[0] === undefined) return reader.webhooks.listDeliveries(of, query, options)
      // They have no list by ids: those of another status now are in the page from the first one on.
      const all = { limit: query.limit, sort: '-id', after: neighbourOf(ids[0], 1) } as const
      const { data } = await reader.webhooks.listDeliveries(of, all, options)
      return { data: data.filter(({ id }) => ids.includes(id)), nextCursor: undefined }
    },
  })
}
