import { implement } from '../../http/implement.ts'
import { writeBy } from '../verbs.ts'
import * as contract from './contract/operations.ts'
import { createWebhook } from './create-webhook.ts'
import { listDeliveries } from './deliveries/list-deliveries.ts'
import { retryDelivery } from './deliveries/retry-delivery.ts'
import { webhookWrites } from './queries.ts'
import { getWebhook, listWebhooks } from './read-webhooks.ts'
import { replayWebhook } from './replay-webhook.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

/** Addresses to which events are sent, and what became of each. */
export const operations = [
  implement(contract.listWebhooksOperation, listWebhooks),
  implement(contract.createWebhookOperation, createWebhook),
  implement(contract.getWebhookOperation, getWebhook),
  implement(contract.updateWebhookOperation, updateWebhook),
  // Its deliveries, which may be many, are deleted later.
  implement(contract.deleteWebhookOperation, writeBy(webhookWrites.delete)),
  implement(contract.rotateWebhookSecretOperation, rotateWebhookSecret),
  implement(contract.testWebhookOperation, writeBy(testWebhook)),
  implement(contract.listDeliveriesOperation, listDeliveries),
  implement(contract.retryDeliveryOperation, writeBy(retryDelivery)),
  implement(contract.replayWebhookOperation, replayWebhook),
]
