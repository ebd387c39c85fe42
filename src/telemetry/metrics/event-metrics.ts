import type { Observer } from '../../http/observe.ts'
import type { Instruments } from './instruments.ts'

const inputsBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048]

/** The values of the label `outcome`, by the status of the delivery after the attempt. */
const outcomes = { succeeded: 'succeeded', pending: 'retried', failed: 'failed' }

/** Counts and times commits, the changes in them, their way to the feed, and webhook attempts. `types`: of all changes. */
export function observeEvents(
  { counter, histogram }: Instruments,
  types: readonly string[],
): Observer {
  const inputs = histogram('commit_inputs', 'Inputs that one commit has stored.', [], inputsBuckets)
  const durations = histogram(
    'commit_duration_seconds',
    'From the end of the statements until the transaction was durable.',
  )
  const waits = histogram(
    'commit_wait_seconds',
    'How long the oldest input of a commit had waited when its transaction began.',
  )
  const changes = counter(
    'changes_total',
    'Changes that this process has stored, by type of event; order.expired are the holds that expired.',
    'type',
  )
  const delays = histogram(
    'feed_delay_seconds',
    'Age of each event when this process read it for its streams.',
  )
  const deliveries = counter(
    'webhook_deliveries_total',
    'Attempts to deliver webhooks, by outcome: retried later, or failed for good.',
    'outcome',
  )
  for (const type of types) changes.inc({ type }, 0)
  for (const outcome of Object.values(outcomes)) deliveries.inc({ outcome }, 0)
  return {
    committed({ inputs: count, commitMs, waitedMs, changed }) {
      inputs.observe(count)
      durations.observe(commitMs / 1_000)
      waits.observe(waitedMs / 1_000)
      for (const [type, made] of changed) changes.inc({ type }, made)
    },
    // Clocks of two processes may differ.
    eventRead: (ageMs) => delays.observe(Math.max(0, ageMs) / 1_000),
    webhookAttempted: (status) => deliveries.inc({ outcome: outcomes[status] }),
  }
}
