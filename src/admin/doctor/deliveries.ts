import type { Checks } from './finding.ts'

type DeliveriesFacts = { failed: number; pruned: number }

/** Whether webhooks have received what they asked for. */
export const deliveriesChecks: Checks<DeliveriesFacts> = {
  deliveries({ failed, pruned }) {
    if (failed + pruned === 0) return { ok: 'No delivery of a webhook has failed.' }
    return {
      warning: `Deliveries of webhooks that have failed: ${failed}; deleted before they succeeded, beyond PETSTORE_DELIVERIES_MAX: ${pruned}. GET /webhooks/ID/deliveries?status=failed lists the first. Once the receiver works, retry them, or replay the events.`,
    }
  },
}
