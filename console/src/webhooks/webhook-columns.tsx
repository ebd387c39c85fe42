import type { Webhook } from '../../../client/src/index.ts'
import { labelOf } from '../history/event-labels.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'

export const webhookColumns: readonly RecordColumn<Webhook>[] = [
  idColumn('Id'),
  {
    id: 'name',
    header: 'Address, and what it receives',
    width: wide,
    phone: 'title',
    cell: ({ record: { url, types } }) => (
      <span className={classes.named}>
        <UserText text={url} />
        <span className={classes.end} data-optional>
          <UserText text={describeTypes(types)} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    phone: 'detail',
    cell: ({ record }) => <WebhookState row={record} />,
  },
  actionsColumn(),
]

/** The types of events in words, such as `Order placed, Pet added`. */
export function describeTypes(types: readonly string[] | undefined): string {
  return types?.map(labelOf).join(', ') ?? 'Everything'
}

/** Whether events are sent, and why not; or what is about to be done to the webhook. */
export function WebhookState({ row }: { row: Webhook }) {
  return (
    <UnlessWaiting action={`webhook ${row.id}`}>
      <StatusBadge {...stateOf(row)} />
    </UnlessWaiting>
  )
}

const blocks = {
  copied: 'Paused: the store is a copy',
  key_ended: 'Sends nothing: its key has ended',
}

function stateOf({ status, blockedReason, disabledReason, failingSince }: Webhook) {
  if (status === 'paused') return { tone: 'over', label: 'Paused' } as const
  if (status === 'disabled') {
    const why = disabledReason === 'gone' ? 'response 410' : 'failed for 5 days'
    return { tone: 'over', label: `Disabled: ${why}` } as const
  }
  if (blockedReason) return { tone: 'over', label: blocks[blockedReason] } as const
  if (failingSince === undefined) return { tone: 'good', label: 'Enabled' } as const
  return { tone: 'waiting', label: 'Failing' } as const
}
