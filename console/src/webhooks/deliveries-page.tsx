import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Delivery, Int64, Webhook } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { following, noteChanges } from '../api/following.ts'
import { neighbourOf, parseId } from '../base/int64-text.ts'
import { SendDialog } from '../editor/send-dialog.tsx'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { useAddress } from '../filters/use-address.ts'
import { showOutcome, showToast } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import type { RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useRecordList } from '../table/use-record-list.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { WebhookState } from './webhook-columns.tsx'
import { deliveryStates, type WebhookSearch } from './webhook-search.ts'

/** No event tells of a delivery, so what depends on one is polled. */
export const webhookKinds = ['webhook', 'delivery']

/** Shows what was sent to a webhook; sends it again. */
export function DeliveriesPage({ of }: { of: Int64 }) {
  const [{ status, event = '' }] = useAddress<WebhookSearch>()
  const { data: webhook } = useQuery({
    ...following<Webhook>(webhookKinds),
    queryKey: ['webhook', String(of)],
    queryFn: ({ signal }) => reader.webhooks.get(of, { signal }),
  })
  const list = useRecordList<Delivery>({
    key: ['deliveries', String(of), status, event],
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
  const [replayAfter, setReplayAfter] = useState<string>()
  const replay: RecordAction<Delivery> = {
    label: 'Replay',
    phrase: 'Replay from',
    icon: 'undo',
    shortcut: 'p',
    run: ({ eventId }) => setReplayAfter(String(neighbourOf(eventId, -1))),
  }
  const latestOf = (delivery: Delivery) =>
    list.window.rows.find(({ record: { id } }) => id === delivery.id)?.record ?? delivery

  return (
    <>
      <RecordPage<Delivery>
        kind="delivery"
        about={<About of={of} webhook={webhook} />}
        list={list}
        columns={deliveryColumns}
        filters={
          <Filters of={of} replayAll={() => setReplayAfter(String(webhook?.missedAfter ?? ''))} />
        }
        empty={{
          title: 'No deliveries yet',
          text: 'Events that are sent to this webhook appear here.',
          icon: 'send',
        }}
        noMatch={{
          filters: ['status', 'event'],
          text: 'They are kept for 30 days, unless there are too many.',
          all: 'all deliveries',
        }}
        open="toRead"
        actions={[retryOf(of), replay]}
        detail={(delivery, { close }) =>
          delivery && (
            <DeliveryPanel delivery={latestOf(delivery)} url={webhook?.url} close={close} />
          )
        }
      />
      {replayAfter !== undefined && (
        <ReplayDialog of={of} first={replayAfter} close={() => setReplayAfter(undefined)} />
      )}
    </>
  )
}

/** Whose deliveries are listed. */
function About({ of, webhook }: { of: Int64; webhook: Webhook | undefined }) {
  return (
    <span className={classes.line}>
      <Link to="/webhooks" className={classes.accent}>
        All
      </Link>
      <UserText text={`Deliveries to ${webhook?.url ?? `webhook ${of}`}`} />
      {webhook && <WebhookState row={webhook} />}
    </span>
  )
}

function retryOf(of: Int64): RecordAction<Delivery> {
  return {
    label: 'Send again',
    icon: 'rotate',
    shortcut: 's',
    run: ({ id }, { put }) =>
      showOutcome(async () => {
        put(await client.webhooks.retryDelivery(of, id))
        return `Delivery ${id} is sent again.`
      }),
  }
}

const states = Object.entries(deliveryStates).map(([value, { label }]) => ({ value, label }))

/** What limits the list, and what can be done to more than the deliveries of the list. */
function Filters({ of, replayAll }: { of: Int64; replayAll(): void }) {
  const retry = useMutation({
    mutationFn: () => showOutcome(() => retryAllFailed(of)),
    onSuccess: () => noteChanges(['delivery']),
  })
  return (
    <>
      <ChoiceFilter name="status" label="State" everything="Any state" options={states} />
      <TextFilter name="event" label="Event id" isId />
      <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        Send all failed again
      </Button>
      <Button variant="default" onClick={replayAll}>
        Replay
      </Button>
    </>
  )
}

/** Sends all deliveries that failed again. Resolves to what was done, in words. */
async function retryAllFailed(of: Int64): Promise<string> {
  let count = 0
  for await (const { data } of client.webhooks.listDeliveries(of, { status: 'failed' }).pages()) {
    await Promise.all(data.map(({ id }) => client.webhooks.retryDelivery(of, id)))
    count += data.length
  }
  return count === 0 ? 'No delivery has failed.' : `Sent again: ${count}`
}

type ReplayProps = { of: Int64; first: string; close(): void }

/** Asks after which event all are sent once more. */
function ReplayDialog({ of, first, close }: ReplayProps) {
  const [text, setText] = useState(first)
  async function send() {
    const after = parseId(text)
    if (after === undefined) throw new Error('Type the id of an event.')
    await client.webhooks.replay(of, { after })
    showToast(`The events after ${after} are sent again.`)
    noteChanges(['delivery'])
  }
  return (
    <SendDialog title="Replay events" submitLabel="Replay" send={send} close={close}>
      <TextInput
        label="After the event"
        description="All later events are sent again, also those that were received"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
    </SendDialog>
  )
}
