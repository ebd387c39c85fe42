import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IssuedKey, Key, KeyChange, NewKey } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { dayOf } from '../base/days.ts'
import { formatInstant } from '../base/format.ts'
import { ChoiceBoxes } from '../editor/choice-boxes.tsx'
import dialogs from '../editor/dialogs.module.css'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import type { Saver } from '../editor/saver.ts'
import { UserText } from '../shared/user-text.tsx'
import type { Opened } from '../table/record-page.tsx'
import { covers, describeGrants, describeScope, grantableScopes, isManaging } from './grants.ts'
import { KeyState, LastUse } from './key-columns.tsx'

/** A key as it is being typed. `expiresAt`: its last day, as `2030-12-05`, in the time zone of the reader. */
type KeyDraft = { name: string; scopes: readonly string[]; expiresAt: string }

const saverFor = (issued: Props['issued']): Saver<Key, KeyDraft, NewKey, KeyChange> => ({
  kind: 'key',
  labels: { name: 'Name', scopes: 'Allowed to', expiresAt: 'Last day' },
  mistakesIn({ scopes, expiresAt }): Record<string, string> {
    const isPast = expiresAt !== '' && !(Date.parse(endOf(expiresAt)) > Date.now())
    return {
      ...(scopes.length === 0 ? { scopes: 'Choose at least one.' } : {}),
      ...(isPast ? { expiresAt: 'Choose today or a later day.' } : {}),
    }
  },
  bodyOf: ({ name, scopes, expiresAt }) => ({
    name,
    scopes,
    expiresAt: expiresAt === '' ? null : endOf(expiresAt),
  }),
  adding: {
    verb: 'Create',
    async send(body, options) {
      const { key, ...created } = await client.keys.create(body, options)
      issued({ ...created, key })
      return created
    },
  },
  changing: {
    verb: 'Change',
    draftOf,
    fetchVersion: async (id) => ({ record: await reader.keys.get(id) }),
    send: (id, change) => client.keys.update(id, change),
    shown: { scopes: describeGrants },
  },
})

type Props = Opened<Key> & {
  row: Key | undefined
  own: readonly string[]
  /** Shows a key that was created. */
  issued(key: IssuedKey): void
}

/** Creates or changes a key. */
export function KeyForm({ row, own, issued, ...opened }: Props) {
  return (
    <RecordEditor saver={saverFor(issued)} record={row} draft={draftOf(row)} {...opened}>
      {(fields) => (
        <>
          <TextInput
            description="Who or what uses it"
            {...fields.text('name')}
            spellCheck={false}
            autoComplete="off"
            autoFocus
          />
          <TextInput
            type="date"
            description="It expires at the end of this day; never without one (optional)"
            {...fields.text('expiresAt')}
          />
          <ScopeField {...fields} own={own} />
          {row && <KeyFacts row={row} />}
        </>
      )}
    </RecordEditor>
  )
}

type ScopeProps = FieldTools<KeyDraft> & { own: readonly string[] }

/** What a key may do, as check boxes. `own`: what the signed-in key may do; what it may not grant is not offered. */
function ScopeField({ draft: { scopes }, set, problems, isSaving, own }: ScopeProps) {
  const choose = (scopes: readonly string[]) => set({ scopes })
  const offered = grantableScopes(own)
  const isDefault = scopes.includes('default')

  function toggle(scope: string) {
    const chosen = offered.filter((one) => covers(scopes, one) !== (one === scope))
    choose(isDefault && isManaging(scope) ? ['default', ...chosen.filter(isManaging)] : chosen)
  }

  const readable = offered.filter((scope) => scope.endsWith(':read'))
  return (
    <ChoiceBoxes
      legend="Allowed to"
      presets={[
        { label: 'Read only', choose: () => choose(readable) },
        ...(own.includes('default')
          ? [{ label: 'Everything', choose: () => choose(['default']) }]
          : []),
      ]}
      options={offered.map((scope) => ({ value: scope, label: describeScope(scope) }))}
      isChecked={(scope) => covers(scopes, scope)}
      toggle={toggle}
      note={
        isDefault ? 'Also what later versions add, but not to manage keys or webhooks' : undefined
      }
      error={problems.scopes}
      isSaving={isSaving}
    />
  )
}

function draftOf({ name = '', scopes = [], expiresAt }: Partial<Key> = {}): KeyDraft {
  const lastDay = expiresAt === undefined ? '' : dayOf(new Date(expiresAt))
  return { name, scopes, expiresAt: lastDay }
}

function endOf(day: string): string {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}

/** All that is known of a key. */
function KeyFacts({ row }: { row: Key }) {
  const { createdBy } = row
  const format = (instant: string | undefined) => instant && formatInstant(instant)
  const facts: [label: string, value: ReactNode][] = [
    ['Key', <code key="hint">{row.hint}</code>],
    ['Last used', <LastUse key="used" instant={row.lastUsedAt} />],
    ['Created', format(row.createdAt)],
    ['Created by', createdBy === undefined ? 'The machine of the store' : `Key ${createdBy}`],
    ['Rate limit', row.rateLimit && `${row.rateLimit} requests per second`],
    ['Expires', format(row.expiresAt)],
    ['Revoked', format(row.revokedAt)],
    ['Replaced key', row.previousHint && <code key="previous">{row.previousHint}</code>],
    ['It ends', format(row.previousEndsAt)],
  ]
  return <Members members={facts} />
}

/** A key that the signed-in one may not change. */
export function KeyPanel({ row, close }: { row: Key; close(): void }) {
  return (
    <RecordPanel title="Key" record={row} close={close}>
      <p className={dialogs.note}>
        <UserText text={row.name} isWhole /> <KeyState row={row} />
      </p>
      <p className={dialogs.note}>{describeGrants(row.scopes)}</p>
      <KeyFacts row={row} />
    </RecordPanel>
  )
}
