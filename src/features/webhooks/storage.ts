import { defineStorage } from '../../db/storage.ts'
import { webhooksCheck } from './check-webhooks.ts'
import { insertWebhook } from './create-webhook.ts'
import { holdLeases, releaseLeases } from './deliver/leases/queries.ts'
import { pruneWebhookDeliveries } from './deliver/prune-deliveries.ts'
import { pruneDeliveries, storeProgress } from './deliver/queries.ts'
import { deliveriesList } from './deliveries/queries.ts'
import { makeDue } from './deliveries/retry-delivery.ts'
import { endWebhook, moveBack, resume, webhooksList } from './queries.ts'
import { replaceSecret } from './rotate-webhook-secret.ts'
import { recordTest } from './test-webhook.ts'
import { changeWebhook } from './update-webhook.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'webhooks',
      key: ['id'],
      assignsIds: true,
      columns: {
        id: { type: 'int64' },
        url: { type: 'text' },
        types: { type: 'text', isNullable: true },
        description: { type: 'text', isNullable: true, codePointsMax: 200 },
        status: { type: 'text' },
        disabled_reason: { type: 'text', isNullable: true },
        secret: { type: 'bytes' },
        previous_secret: { type: 'bytes', isNullable: true },
        previous_secret_ends_at: { type: 'int64', isNullable: true },
        created_at: { type: 'int64' },
        created_by: { type: 'int64', isNullable: true },
      },
    },
    {
      name: 'webhook_queues',
      key: ['webhook_id'],
      columns: {
        webhook_id: { type: 'int64' },
        position: { type: 'int64' },
        lease_holder: { type: 'text', isNullable: true },
        lease_ends_at: { type: 'int64' },
        fence: { type: 'int64' },
        failing_since: { type: 'int64', isNullable: true },
      },
    },
    {
      name: 'webhook_deliveries',
      key: ['id'],
      assignsIds: true,
      columns: {
        id: { type: 'int64' },
        webhook_id: { type: 'int64' },
        event_id: { type: 'int64' },
        event_type: { type: 'text' },
        status: { type: 'text' },
        created_at: { type: 'int64' },
        due_at: { type: 'int64', isNullable: true },
        attempts: { type: 'text' },
      },
    },
    {
      name: 'webhooks_resumed',
      isLocal: true,
      key: ['id'],
      columns: { id: { type: 'int64' }, resumed_at: { type: 'int64' } },
    },
  ],
  writes: [
    ...[insertWebhook, changeWebhook, endWebhook, replaceSecret, recordTest, moveBack, makeDue],
    resume,
    ...[holdLeases, releaseLeases],
    ...[storeProgress, pruneDeliveries],
  ],
  scans: [webhooksList.search, webhooksList.count, deliveriesList.search, deliveriesList.count],
  checks: [webhooksCheck],
  jobs: [pruneWebhookDeliveries],
})
