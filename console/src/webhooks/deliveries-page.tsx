import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Delivery, DeliveryStatus } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client } from '../api/client.ts'
import { noteChanges } from '../api/following.ts'
import { neighbourOf } from '../base/int64-text.ts'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { Filters } from '../filters/filters.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { showOutcome } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import type { RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { put } from '../table/record-window.ts'
import { useAddress } from '../table/use-address.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { useDeliveryList } from './delivery-list.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { WebhookState } from './webhook-columns.tsx'
import { useWebhook } from './webhook-list.ts'
import { deliveryStates, readWebhookSearch } from './webhook-search.ts'

const show = { label: 'Show', shortcut: 'Enter' }
const noFilter = { status: undefined, event: undefined }
const states = Object.entries(deliveryStates).map(([value, { label }]) => ({ value, label }))
const empty = {
  title: 'No deliveries yet',
  text: 'Events that are sent to this webhook appear here.',
  icon: 'send',
} as const
const noMatch = {
  title: 'No delivery matches',
  text: 'The last 100 that succeeded are kept, and all others for 30 days.',
  showAll: 'Show all deliveries',
}

/** Shows what was sent to a webhook; sends it again. */
export function DeliveriesPage({ of }: { of: Int64 }) {
  const [search, setSearch] = useAddress(readWebhookSearch)
  const { status, event = '' } = search
  const webhook = useWebhook(of)
  const list = useDeliveryList(of, search)
  const latest = useRef(list)
  latest.current = list
  const [replayAfter, setReplayAfter] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const latestOf = (delivery: Delivery) =>
    list.window.rows.find(({ record: { id } }) => id === delivery.id)?.record ?? delivery
  const clear = () => setSearch(noFilter)

  const actions = useMemo((): readonly RecordAction<Delivery>[] => {
    async function retry(id: Int64) {
      const due = await client.webhooks.retryDelivery(of, id)
      latest.current.change((window) => put(window, due))
      return `Delivery ${id} is sent again.`
    }
    return [
      {
        ...{ label: 'Send again', icon: 'rotate', shortcut: 's' },
        isOffered: ({ status }) => status !== 'lost',
        run: ({ id }) => showOutcome(() => retry(id)),
      },
      {
        ...{ label: 'Replay', phrase: 'Replay from', icon: 'undo', shortcut: 'p' },
        run: ({ eventId }) => setReplayAfter(String(neighbourOf(eventId, -1))),
      },
    ]
  }, [of])

  async function sendFailed() {
    setIsSending(true)
    await showOutcome(() => retryAllFailed(of))
    noteChanges(['delivery'])
    setIsSending(false)
  }

  return (
    <>
      <RecordPage<Delivery>
        kind="delivery"
        about={
          <span className={classes.line}>
            <Link to="/webhooks" className={classes.accent}>
              All
            </Link>
            <UserText text={`Deliveries to ${webhook?.url ?? `webhook ${of}`}`} />
            {webhook && <WebhookState row={webhook} />}
          </span>
        }
        list={list}
        at={undefined}
        columns={deliveryColumns}
        filters={
          <Filters>
            <ChoiceFilter
              label="State"
              everything="Any state"
              value={status}
              options={states}
              set={(value) => setSearch({ status: value as DeliveryStatus | undefined })}
            />
            <TextFilter label="Event id" value={event} isId set={(event) => setSearch({ event })} />
            <Button variant="default" loading={isSending} onClick={() => void sendFailed()}>
              Send all failed again
            </Button>
            <Button variant="default" onClick={() => setReplayAfter('')}>
              Replay
            </Button>
          </Filters>
        }
        empty={empty}
        noMatch={status === undefined && event === '' ? undefined : { ...noMatch, clear }}
        open={show}
        actions={actions}
        goTo={clear}
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

/** Sends all deliveries that failed again. Resolves to what was done, in words. */
async function retryAllFailed(of: Int64): Promise<string> {
  let count = 0
  for await (const { data } of client.webhooks.listDeliveries(of, { status: 'failed' }).pages()) {
    await Promise.all(data.map(({ id }) => client.webhooks.retryDelivery(of, id)))
    count += data.length
  }
  return count === 0 ? 'No delivery has failed.' : `Sent again: ${count}`
}
