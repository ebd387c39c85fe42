import { Box, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { formatCount, formatFromNow, formatInstant } from '../base/format.ts'
import editor from '../editor/record-editor.module.css'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import { labelOf } from '../history/event-labels.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import cells from '../table/cells.module.css'
import { resultOf } from './delivery-columns.tsx'
import { deliveryStates } from './webhook-search.ts'

type Props = {
  delivery: Delivery
  /** The address of the webhook, once it is known. */
  url: string | undefined
  close(): void
}

/** All that is known of a delivery: what was sent, and each response. */
export function DeliveryPanel({ delivery, url = '', close }: Props) {
  const { eventId, eventType, status, createdAt, nextAttemptAt, attempts } = delivery
  const { data: event, error } = useQuery({
    queryKey: ['event', String(eventId)],
    queryFn: ({ signal }) => reader.events.get(eventId, { signal }),
  })
  return (
    <RecordPanel title={labelOf(eventType)} record={delivery} close={close}>
      <Members
        members={[
          ['Since', formatInstant(createdAt)],
          [
            'Next attempt',
            nextAttemptAt && `${formatInstant(nextAttemptAt)}, ${formatFromNow(nextAttemptAt)}`,
          ],
          ['State', <StatusBadge key="state" {...deliveryStates[status]} />],
        ]}
      />
      <section className={editor.part}>
        <h3>Request</h3>
        <Code block mb="0.6rem">
          {`POST ${url}\ncontent-type: application/json\nwebhook-id: ${eventId}\n`}
          <span className={cells.quiet}>
            webhook-timestamp and webhook-signature: new at each attempt
          </span>
        </Code>
        {error ? (
          <p role="alert">{describeError(error)}</p>
        ) : (
          event && <Text text={jsonOf(event)} />
        )}
      </section>
      <section className={editor.part}>
        <h3>Attempts</h3>
        {attempts.length === 0 && <p className={cells.quiet}>None yet</p>}
        <ol>
          {attempts.toReversed().map((attempt) => (
            <Box component="li" key={attempt.attemptedAt} py="0.2rem">
              <span className={cells.quiet}>{formatInstant(attempt.attemptedAt)}</span>{' '}
              <UserText text={resultOf(attempt)} isWhole />{' '}
              <span className={cells.quiet}>after {formatCount(attempt.durationMs)} ms</span>
              {attempt.responseBody && <Text text={attempt.responseBody} />}
            </Box>
          ))}
        </ol>
      </section>
    </RecordPanel>
  )
}

/** A text of lines. */
function Text({ text }: { text: string }) {
  return (
    <Code block mb="0.6rem">
      {text.split(/\r?\n/).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <div key={index}>
          <UserText text={line} isWhole />
        </div>
      ))}
    </Code>
  )
}

/** JSON over several lines, a `bigint` as its digits. */
function jsonOf(value: unknown): string {
  const marked = (_name: string, member: unknown) =>
    typeof member === 'bigint' ? `\ue000${member}` : member
  return JSON.stringify(value, marked, 2).replaceAll(/"\ue000(\d+)"/g, '$1')
}
