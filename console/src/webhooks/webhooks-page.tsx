import { useState } from 'react'
import type { IssuedWebhook, Webhook } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { consoleUrl } from '../api/page-context.ts'
import { parseId } from '../base/int64-text.ts'
import classes from '../editor/dialogs.module.css'
import { SecretDialog } from '../editor/secret-dialog.tsx'
import { SendDialog } from '../editor/send-dialog.tsx'
import { useFilter } from '../filters/use-address.ts'
import { delay } from '../shared/delayed-actions.ts'
import { showOutcome } from '../shared/toasts.ts'
import cells from '../table/cells.module.css'
import { type ActionTools, edit, type RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { DeliveriesPage } from './deliveries-page.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { useWebhookList } from './webhook-list.ts'

const guideUrl = new URL('../guides/receive-a-webhook', consoleUrl)

const actions: readonly RecordAction<Webhook>[] = [
  {
    label: 'Deliveries',
    phrase: 'Show the deliveries of',
    icon: 'list',
    shortcut: 'd',
    run: showDeliveries,
  },
  {
    label: 'Test',
    icon: 'bolt',
    shortcut: 't',
    run(webhook, tools) {
      const show = { label: 'Deliveries', run: () => showDeliveries(webhook, tools) }
      return showOutcome(async () => {
        await client.webhooks.test(webhook.id)
        return `A test event is sent to webhook ${webhook.id}.`
      }, show)
    },
  },
  { ...statusAction('paused'), label: 'Pause', icon: 'pause' },
  { ...statusAction('enabled'), label: 'Resume', icon: 'play' },
]

const deletion: RecordAction<Webhook> = {
  label: 'Delete',
  icon: 'trash',
  shortcut: 'Delete',
  run: ({ id, url }, { markGone }) =>
    delay({
      id: `webhook ${id}`,
      verb: 'Deleting',
      name: url,
      done: `Webhook ${id} was deleted.`,
      async send() {
        await client.webhooks.delete(id)
        markGone(id)
      },
    }),
}

function showDeliveries({ id }: Webhook, { navigate }: ActionTools<Webhook>): void {
  void navigate({ to: '/webhooks', search: { of: String(id) } })
}

/** Enables webhooks that are not, or pauses those that are. */
function statusAction(
  status: 'enabled' | 'paused',
): Pick<RecordAction<Webhook>, 'shortcut' | 'isOffered' | 'run'> {
  return {
    shortcut: 'p',
    isOffered: (webhook) => (webhook.status === 'enabled') === (status === 'paused'),
    run: ({ id }, { put }) =>
      showOutcome(async () => {
        put(await client.webhooks.update(id, { status }))
        return `Webhook ${id} is ${status}.`
      }),
  }
}

/** Shows the webhooks, or the deliveries of one. */
export default function WebhooksPage() {
  const [of = ''] = useFilter('of')
  const id = parseId(of)
  return id === undefined ? <Webhooks /> : <DeliveriesPage key={of} of={id} />
}

/** Shows where events are sent; creates, changes, tests, pauses and deletes webhooks. */
function Webhooks() {
  const list = useWebhookList()
  const [rotating, setRotating] = useState<Webhook>()
  const [issued, setIssued] = useState<IssuedWebhook>()
  const rotation: RecordAction<Webhook> = {
    label: 'Rotate',
    phrase: 'Rotate the secret of',
    icon: 'rotate',
    shortcut: 'r',
    run: setRotating,
  }

  async function rotate({ id }: Webhook) {
    const { secret, ...now } = await client.webhooks.rotateSecret(id)
    list.put(now)
    setIssued({ ...now, secret })
  }

  return (
    <>
      <RecordPage<Webhook>
        kind="webhook"
        list={list}
        columns={webhookColumns}
        empty={{
          title: 'There are no webhooks',
          text: 'A webhook sends events to an address as they happen.',
          icon: 'send',
        }}
        add="Create"
        open={edit}
        actions={[...actions, rotation, deletion]}
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
      {issued && <IssuedDialog issued={issued} close={() => setIssued(undefined)} />}
    </>
  )
}

/** A secret that was just issued, with the guide that uses it. */
function IssuedDialog({ issued, close }: { issued: IssuedWebhook; close(): void }) {
  return (
    <SecretDialog
      title="Copy the secret now"
      note={`The secret of webhook ${issued.id} is shown this once.`}
      secret={issued.secret}
      name="The secret"
      close={close}
    >
      <p className={classes.note}>
        The receiver verifies signatures with it:{' '}
        <a className={cells.accent} href={guideUrl.href} target="_blank" rel="noreferrer">
          Receive a webhook
        </a>
      </p>
    </SecretDialog>
  )
}
