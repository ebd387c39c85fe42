import { Counter, type Registry } from 'prom-client'
import type { Observer } from '../../http/observe.ts'

/** By what an attempt made of its delivery. */
const outcomes = {
  succeeded: { outcome: 'succeeded' },
  pending: { outcome: 'retried' },
  failed: { outcome: 'failed' },
  lost: { outcome: 'lost' },
}

/** Counts what comes of deliveries of webhooks. */
export function observeWebhooks(registers: Registry[]): Observer {
  const deliveries = new Counter({
    name: 'petstore_webhook_deliveries_total',
    help: 'Attempts to deliver webhooks, by outcome: retried later, failed for good, or lost with their event.',
    labelNames: ['outcome'],
    registers,
  })
  for (const labels of Object.values(outcomes)) deliveries.inc(labels, 0)
  return { webhookAttempted: (status) => deliveries.inc(outcomes[status]) }
}
