import { TextInput } from '@mantine/core'
import type { IssuedKey, KeyChange, NewKey } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { ChoiceBoxes } from '../editor/choice-boxes.tsx'
import { type FieldTools, RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/use-save.ts'
import type { Opened } from '../table/record-page.tsx'
import { covers, describeGrants, describeScope, grantableScopes, isManaging } from './grants.ts'
import { fetchKey, type KeyRow, keyRowOf } from './key-list.ts'
import { KeyFacts } from './key-panel.tsx'

/** A key as it is being typed. `expiresAt`: its last day, as `2030-12-05`, in the time zone of the reader. */
type KeyDraft = { name: string; scopes: string; expiresAt: string }

/** What of a key can be changed. */
type Changeable = Pick<KeyRow, 'id' | 'name' | 'grants' | 'expiresAt'>

const saverFor = (issued: Props['issued']): Saver<Changeable, KeyDraft, NewKey, KeyChange> => ({
  kind: 'key',
  labels: { name: 'Name', scopes: 'Scopes', expiresAt: 'Last day' },
  mistakesIn({ scopes, expiresAt }): Record<string, string> {
    const isPast = expiresAt !== '' && !(Date.parse(endOf(expiresAt)) > Date.now())
    return {
      ...(scopes === '' ? { scopes: 'Choose at least one.' } : {}),
      ...(isPast ? { expiresAt: 'Choose today or a later day.' } : {}),
    }
  },
  bodyOf: ({ name, scopes, expiresAt }) => ({
    name,
    scopes: scopes.split(' '),
    expiresAt: expiresAt === '' ? null : endOf(expiresAt),
  }),
  adding: {
    verb: 'Create',
    async send(body, options) {
      const { key, ...created } = await client.keys.create(body, options)
      issued({ ...created, key })
      return keyRowOf(created)
    },
  },
  changing: {
    verb: 'Change',
    draftOf,
    fetchVersion: fetchKey,
    send: async (id, change) => keyRowOf(await client.keys.update(id, change)),
    shown: { scopes: { label: 'Allowed to', show: describeGrants } },
  },
})

type Props = Opened<KeyRow> & {
  row: KeyRow | undefined
  own: readonly string[]
  /** Shows a key that was created. */
  issued(key: IssuedKey): void
}

/** Creates or changes a key. */
export function KeyForm({ row, own, issued, close, saved }: Props) {
  return (
    <RecordEditor
      saver={saverFor(issued)}
      record={row && changeableOf(row)}
      draft={draftOf(row)}
      saved={(now, sentence) => saved({ ...row, ...now } as KeyRow, sentence)}
      close={close}
    >
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
function ScopeField({ draft, set, problems, isSaving, own }: ScopeProps) {
  const grants = draft.scopes.split(' ').filter(Boolean)
  const choose = (scopes: readonly string[]) => set({ scopes: scopes.join(' ') })
  const offered = grantableScopes(own)
  const isDefault = grants.includes('default')

  function toggle(scope: string) {
    const chosen = offered.filter((one) => covers(grants, one) !== (one === scope))
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
      isChecked={(scope) => covers(grants, scope)}
      toggle={toggle}
      note={
        isDefault ? 'Also what later versions add, but not to manage keys or webhooks' : undefined
      }
      error={problems.scopes}
      isSaving={isSaving}
    />
  )
}

function changeableOf({ id, name, grants, expiresAt }: KeyRow): Changeable {
  return { id, name, grants, ...(expiresAt === undefined ? {} : { expiresAt }) }
}

function draftOf(key: Omit<Changeable, 'id'> | undefined): KeyDraft {
  const { name = '', grants = '', expiresAt } = key ?? {}
  // The Swedish way to write a date is that of ISO 8601.
  const lastDay = expiresAt === undefined ? '' : new Date(expiresAt).toLocaleDateString('sv')
  return { name, scopes: grants, expiresAt: lastDay }
}

function endOf(day: string): string {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}
