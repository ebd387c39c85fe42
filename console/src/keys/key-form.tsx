import { TextInput } from '@mantine/core'
import type { IssuedKey, Key, KeyChange, NewKey } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { dayOf } from '../base/days.ts'
import { ChoiceBoxes } from '../editor/choice-boxes.tsx'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import type { Opened } from '../table/record-page.tsx'
import { covers, describeGrants, describeScope, grantableScopes, isManaging } from './grants.ts'
import { fetchKey } from './key-list.ts'
import { KeyFacts } from './key-panel.tsx'

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
    fetchVersion: fetchKey,
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
