import { useState } from 'react'
import type { IssuedWebhook } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { consoleUrl } from '../api/page-context.ts'
import { parseId } from '../base/int64-text.ts'
import classes from '../editor/dialogs.module.css'
import { SecretDialog } from '../editor/secret-dialog.tsx'
import { SendDialog } from '../editor/send-dialog.tsx'
import cells from '../table/cells.module.css'
import { RecordPage } from '../table/record-page.tsx'
import { put } from '../table/record-window.ts'
import { useAddress } from '../table/use-address.ts'
import { DeliveriesPage } from './deliveries-page.tsx'
import { useWebhookActions } from './webhook-actions.ts'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { useWebhookList, type WebhookRow, webhookRowOf } from './webhook-list.ts'
import { readWebhookSearch } from './webhook-search.ts'

const add = { label: 'Create a webhook', first: 'Create the first webhook' }
const edit = { label: 'Edit', icon: 'edit', shortcut: 'e' } as const
const guideUrl = new URL('../guides/receive-a-webhook', consoleUrl)

/** Shows the webhooks, or the deliveries of one. */
export default function WebhooksPage() {
  const [{ of = '' }] = useAddress(readWebhookSearch)
  const id = parseId(of)
  return id === undefined ? <Webhooks /> : <DeliveriesPage key={of} of={id} />
}

/** Shows where events are sent; creates, changes, tests, pauses and deletes webhooks. */
function Webhooks() {
  const [search, setSearch] = useAddress(readWebhookSearch)
  const list = useWebhookList(search)
  const [rotating, setRotating] = useState<WebhookRow>()
  const [issued, setIssued] = useState<IssuedWebhook>()
  const actions = useWebhookActions(list, setRotating)

  async function rotate({ id }: WebhookRow) {
    const { secret, ...now } = await client.webhooks.rotateSecret(id)
    list.change((window) => put(window, webhookRowOf(now)))
    setIssued({ ...now, secret })
  }

  return (
    <>
      <RecordPage<WebhookRow>
        kind="webhook"
        list={list}
        at={search.at}
        columns={webhookColumns}
        empty={{
          title: 'There are no webhooks',
          text: 'A webhook sends events to an address as they happen.',
          icon: 'send',
        }}
        noMatch={undefined}
        add={add}
        open={edit}
        actions={actions}
        goTo={(id) => setSearch({ at: String(id) })}
        detail={(row, opened) => <WebhookForm row={row} issued={setIssued} {...opened} />}
      />
      {rotating && (
        <SendDialog
          title={`Rotate the secret of webhook ${rotating.id}`}
          submitLabel="Rotate"
          send={() => rotate(rotating)}
          close={() => setRotating(undefined)}
        >
          <p className={classes.note}>
            It gets a new secret. For 24 hours deliveries are signed with both; then the old one
            ends.
          </p>
        </SendDialog>
      )}
      {issued && (
        <SecretDialog
          title="Copy the secret now"
          note={`The secret of webhook ${issued.id} is shown this once.`}
          secret={issued.secret}
          name="The secret"
          close={() => setIssued(undefined)}
        >
          <p className={classes.note}>
            The receiver verifies signatures with it:{' '}
            <a className={cells.accent} href={guideUrl.href} target="_blank" rel="noreferrer">
              Receive a webhook
            </a>
          </p>
        </SecretDialog>
      )}
    </>
  )
}
