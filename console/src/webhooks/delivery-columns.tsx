import type { Delivery, DeliveryAttempt } from '../../../client/src/index.ts'
import { formatCount, formatFromNow } from '../base/format.ts'
import { labelOf } from '../history/event-labels.ts'
import { Instant } from '../shared/instant.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import { deliveryStates } from './webhook-search.ts'

export const deliveryColumns: readonly RecordColumn<Delivery>[] = [
  idColumn('Id'),
  {
    id: 'event',
    header: 'Event',
    phone: 'title',
    cell: ({ record: { eventType, eventId } }) => (
      <span className={classes.named}>
        <UserText text={labelOf(eventType)} />
        <span className={classes.quiet}>{String(eventId)}</span>
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Since',
    isOptional: true,
    cell: ({ record }) => <Instant at={record.createdAt} />,
  },
  {
    id: 'last',
    header: 'Last attempt',
    width: wide,
    phone: 'detail',
    cell: ({ record: { attempts } }) => {
      const last = attempts.at(-1)
      return last && <UserText text={`${formatCount(attempts.length)}: ${resultOf(last)}`} />
    },
  },
  {
    id: 'state',
    header: 'State',
    phone: 'aside',
    cell: ({ record: { status, nextAttemptAt } }) => {
      const { tone, label } = deliveryStates[status]
      const next = nextAttemptAt && `Next attempt ${formatFromNow(nextAttemptAt)}`
      return <StatusBadge tone={tone} label={next ?? label} />
    },
  },
  actionsColumn(),
]

/** Such as `Response 500`. */
export function resultOf({ responseStatus, error = 'No response' }: DeliveryAttempt): string {
  return responseStatus === undefined ? error : `Response ${responseStatus}`
}
