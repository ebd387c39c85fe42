import { useState } from 'react'
import type { IssuedWebhook, Webhook } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { consoleUrl } from '../api/page-context.ts'
import { formatCount } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { pause } from '../base/pause.ts'
import classes from '../editor/dialogs.module.css'
import { SecretDialog } from '../editor/secret-dialog.tsx'
import { SendDialog } from '../editor/send-dialog.tsx'
import { useFilter } from '../filters/use-address.ts'
import { delay } from '../shared/delayed-actions.ts'
import { showOutcome } from '../shared/toasts.ts'
import cells from '../table/cells.module.css'
import { type ActionTools, edit, type RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useRecordList } from '../table/use-record-list.ts'
import { DeliveriesPage, webhookKinds } from './deliveries-page.tsx'
import { resultOf } from './delivery-columns.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookForm } from './webhook-form.tsx'

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
      return showOutcome(() => test(webhook), show)
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

/** How long a result is waited for, and how often it is asked for. */
const [testMaxMs, testPollMs] = [30_000, 250]

/** Sends a test event, and resolves to what the receiver answered. Throws where it did not take the event. */
async function test({ id }: Webhook): Promise<string> {
  const { data: earlier } = await reader.webhooks.listDeliveries(id, { sort: '-id', limit: 1 })
  const after = earlier[0]?.id ?? 0
  await client.webhooks.test(id)
  const ended = AbortSignal.timeout(testMaxMs)
  while (!ended.aborted) {
    const { data } = await reader.webhooks.listDeliveries(id, { after })
    const delivery = data.find(({ eventType }) => eventType === 'webhook.tested')
    const [attempt] = delivery?.attempts ?? []
    if (delivery && attempt) {
      const took = `after ${formatCount(attempt.durationMs)} ms`
      if (delivery.status === 'succeeded')
        return `Webhook ${id} took the test event: ${resultOf(attempt)} ${took}.`
      throw new Error(`The test of webhook ${id} failed: ${resultOf(attempt)} ${took}.`)
    }
    await pause(testPollMs, ended)
  }
  return `A test event was sent to webhook ${id}, and has had no response yet.`
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
export function WebhooksPage() {
  const [of = ''] = useFilter('of')
  const id = parseId(of)
  return id === undefined ? <Webhooks /> : <DeliveriesPage key={of} of={id} />
}

/** Shows where events are sent; creates, changes, tests, pauses and deletes webhooks. */
function Webhooks() {
  const list = useRecordList<Webhook>({
    key: ['webhooks'],
    kinds: webhookKinds,
    order: 'id',
    async fetch({ id, ...query }, options) {
      // Without filters, one that is missing was deleted.
      if (id !== undefined) return { data: [], nextCursor: undefined }
      return reader.webhooks.list(query, options)
    },
  })
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
