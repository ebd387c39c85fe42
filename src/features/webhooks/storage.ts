import { readableCheck } from '../../db/checks/readable.ts'
import { defineStorage } from '../../db/storage.ts'
import { insertWebhook } from './create-webhook.ts'
import { exchangeDeliveries } from './deliver/exchange-deliveries.ts'
import { fanOutEvents } from './deliver/fan-out-events.ts'
import { pruneDeliveries, pruneWebhookDeliveries } from './deliver/prune-deliveries.ts'
import { selectDoomed } from './deliver/queries.ts'
import { deliveries, deliveriesList } from './deliveries/queries.ts'
import { retryDelivery } from './deliveries/retry-delivery.ts'
import { webhooks, webhooksList, webhookWrites } from './queries.ts'
import { startReplay } from './replay-webhook.ts'
import { allowSending } from './resume-webhooks.ts'
import { replaceSecret } from './rotate-webhook-secret.ts'
import { testWebhook } from './test-webhook.ts'
import { changeWebhook } from './update-webhook.ts'

export const storage = defineStorage({
  tables: [
    { name: 'webhooks', ...webhooks.declared },
    { name: 'webhook_replays' },
    { name: 'webhook_deliveries', assignsIds: true },
    { name: 'webhooks_resumed', isLocal: true, movesAlong: true },
  ],
  writes: [
    insertWebhook,
    changeWebhook,
    webhookWrites.delete,
    replaceSecret,
    testWebhook,
    startReplay,
    retryDelivery,
    allowSending,
    fanOutEvents,
    exchangeDeliveries,
    pruneDeliveries,
  ],
  scans: [
    webhooksList.search,
    webhooksList.count,
    deliveriesList.search,
    deliveriesList.count,
    selectDoomed,
  ],
  checks: [
    readableCheck('webhooks', 'webhooks and their deliveries can be read', [webhooks, deliveries]),
  ],
  jobs: [pruneWebhookDeliveries],
})
