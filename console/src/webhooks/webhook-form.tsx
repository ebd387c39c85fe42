import { TextInput } from '@mantine/core'
import type {
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
} from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { readableKinds } from '../api/following.ts'
import { formatInstant } from '../base/format.ts'
import { ChoiceBoxes } from '../editor/choice-boxes.tsx'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import { Members } from '../editor/record-panel.tsx'
import type { Saver } from '../editor/saver.ts'
import { eventLabels, kindOf, labelOf } from '../history/event-labels.ts'
import type { Opened } from '../table/record-page.tsx'
import { describeTypes, WebhookState } from './webhook-columns.tsx'

/** A webhook as it is being typed. Without `types`, it receives all. */
type Draft = { url: string; types: readonly string[] | undefined; description: string }

const saverFor = (issued: Props['issued']): Saver<Webhook, Draft, NewWebhook, WebhookChange> => ({
  kind: 'webhook',
  labels: { url: 'Address', types: 'Receives', description: 'Description' },
  mistakesIn: ({ types }): Record<string, string> =>
    types?.length === 0 ? { types: 'Choose at least one.' } : {},
  bodyOf: ({ url, types, description }) => ({
    url,
    types: types ?? null,
    description: description || null,
  }),
  adding: {
    verb: 'Create',
    async send(body, options) {
      const { secret, ...created } = await client.webhooks.create(body, options)
      issued({ ...created, secret })
      return created
    },
  },
  changing: {
    verb: 'Change',
    draftOf,
    fetchVersion: async (id) => ({ record: await reader.webhooks.get(id) }),
    send: (id, change) => client.webhooks.update(id, change),
    shown: { types: describeTypes },
  },
})

type Props = Opened<Webhook> & {
  row: Webhook | undefined
  /** Shows the secret of a webhook that was created. */
  issued(webhook: IssuedWebhook): void
}

/** Creates or changes a webhook. */
export function WebhookForm({ row, issued, ...opened }: Props) {
  return (
    <RecordEditor saver={saverFor(issued)} record={row} draft={draftOf(row)} {...opened}>
      {(fields) => (
        <>
          <TextInput
            type="url"
            description="Where events are sent, such as https://shop.example/hook"
            {...fields.text('url')}
            style={{ gridColumn: '1 / -1' }}
            spellCheck={false}
            autoComplete="off"
            autoFocus
          />
          <TextInput
            description="What it is for (optional)"
            {...fields.text('description')}
            style={{ gridColumn: '1 / -1' }}
            autoComplete="off"
          />
          <TypeField {...fields} />
          {row && (
            <Members
              members={[
                ['State', <WebhookState key="state" row={row} />],
                ['Failing since', row.failingSince && formatInstant(row.failingSince)],
                ['Missed', row.missedAfter && `Events after ${row.missedAfter}: replay them`],
                ['Created', formatInstant(row.createdAt)],
                ['Created by', row.createdBy ? `Key ${row.createdBy}` : 'The machine of the store'],
                [
                  'Old secret ends',
                  row.previousSecretEndsAt && formatInstant(row.previousSecretEndsAt),
                ],
              ]}
            />
          )}
        </>
      )}
    </RecordEditor>
  )
}

/** Which events are sent, as check boxes: those that the key may read, and those that were chosen. */
function TypeField({ draft: { types }, set, problems, isSaving }: FieldTools<Draft>) {
  const isChecked = (type: string) => types?.includes(type) ?? true
  const own = readableKinds()
  // Tests are sent to their webhook, whatever its types.
  const offered = Object.keys(eventLabels).filter(
    (type) => (own.includes(kindOf(type)) && type !== 'webhook.tested') || types?.includes(type),
  )
  return (
    <ChoiceBoxes
      legend="Receives"
      presets={[
        { label: 'Everything', choose: () => set({ types: undefined }) },
        { label: 'Nothing', choose: () => set({ types: [] }) },
      ]}
      options={offered.map((type) => ({ value: type, label: labelOf(type) }))}
      isChecked={isChecked}
      toggle={(type) => set({ types: offered.filter((one) => isChecked(one) !== (one === type)) })}
      note={types === undefined ? 'Also types that later versions add' : undefined}
      error={problems.types}
      isSaving={isSaving}
    />
  )
}

function draftOf({ url = '', types, description = '' }: Partial<Webhook> = {}): Draft {
  return { url, types, description }
}
