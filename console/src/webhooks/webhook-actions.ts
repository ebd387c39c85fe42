import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import { showOutcome } from '../shared/toasts.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import { markGone, put } from '../table/record-window.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { type WebhookRow, webhookRowOf } from './webhook-list.ts'

/** What can be done to a webhook. */
export function useWebhookActions(
  list: RecordList<WebhookRow>,
  rotate: (webhook: WebhookRow) => void,
): readonly RecordAction<WebhookRow>[] {
  const navigate = useNavigate()
  const latest = useRef({ list, navigate })
  latest.current = { list, navigate }
  return useMemo(() => {
    const showDeliveries = (id: Int64) =>
      void latest.current.navigate({ to: '/webhooks', search: { of: String(id) } })
    async function test(id: Int64) {
      await client.webhooks.test(id)
      return `A test event is sent to webhook ${id}.`
    }
    async function setStatus(id: Int64, status: 'enabled' | 'paused') {
      const changed = webhookRowOf(await client.webhooks.update(id, { status }))
      latest.current.list.change((window) => put(window, changed))
      return `Webhook ${id} is ${status}.`
    }
    async function remove(id: Int64) {
      await client.webhooks.delete(id)
      latest.current.list.change((window) => markGone(window, id))
    }

    return [
      {
        ...{ label: 'Deliveries', phrase: 'Show the deliveries of', icon: 'list', shortcut: 'd' },
        run: ({ id }) => showDeliveries(id),
      },
      {
        ...{ label: 'Test', icon: 'bolt', shortcut: 't' },
        run: ({ id }) =>
          showOutcome(() => test(id), { label: 'Deliveries', run: () => showDeliveries(id) }),
      },
      {
        ...{ label: 'Pause', icon: 'pause', shortcut: 'p' },
        isOffered: ({ status }) => status === 'enabled',
        run: ({ id }) => showOutcome(() => setStatus(id, 'paused')),
      },
      {
        ...{ label: 'Resume', icon: 'play', shortcut: 'p' },
        isOffered: ({ status }) => status !== 'enabled',
        run: ({ id }) => showOutcome(() => setStatus(id, 'enabled')),
      },
      {
        ...{ label: 'Rotate', phrase: 'Rotate the secret of', icon: 'rotate', shortcut: 'r' },
        run: rotate,
      },
      {
        ...{ label: 'Delete', icon: 'trash', shortcut: 'Delete' },
        run: ({ id, url }) =>
          delay({
            ...{ id: `webhook ${id}`, verb: 'Deleting', name: url },
            done: `Webhook ${id} was deleted.`,
            send: () => remove(id),
          }),
      },
    ]
  }, [rotate])
}
