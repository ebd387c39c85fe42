import { TextInput } from '@mantine/core'
import type { IssuedKey, KeyChange } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { compareTexts } from '../editor/conflict.tsx'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/use-save.ts'
import type { Opened } from '../table/record-page.tsx'
import { describeGrants } from './grants.ts'
import { fetchKey, type KeyRow, keyRowOf } from './key-list.ts'
import { KeyFacts } from './key-panel.tsx'
import { ScopeField } from './scope-field.tsx'

/** A key as it is being typed. `lastDay`: as `2030-12-05`, in the time zone of the reader. */
type KeyDraft = { name: string; grants: string; lastDay: string }

/** What of a key can be changed. */
type Changeable = Pick<KeyRow, 'id' | 'name' | 'grants' | 'expiresAt'>

const labels = { name: 'Name', scopes: 'Scopes', expiresAt: 'Last day' }

const changeSaver: Saver<Changeable, KeyDraft, KeyChange> = {
  kind: 'key',
  fieldLabels: labels,
  mistakesIn({ grants, lastDay }): Record<string, string> {
    const isPast = lastDay !== '' && !(Date.parse(endOf(lastDay)) > Date.now())
    return {
      ...(grants === '' ? { scopes: 'Choose at least one.' } : {}),
      ...(isPast ? { expiresAt: 'Choose today or a later day.' } : {}),
    }
  },
  change: {
    fetchVersion: fetchKey,
    changeOf: ({ name, grants, lastDay }, base) => ({
      ...(name === base.name ? {} : { name }),
      ...(grants === base.grants ? {} : { scopes: grants.split(' ') }),
      ...(lastDay === lastDayOf(base.expiresAt)
        ? {}
        : { expiresAt: lastDay === '' ? null : endOf(lastDay) }),
    }),
    update: async (id, change) => keyRowOf(await client.keys.update(id, change)),
  },
}

type Props = Opened<KeyRow> & {
  row: KeyRow | undefined
  own: readonly string[]
  /** Shows a key that was created. */
  issued(key: IssuedKey): void
}

/** Creates or changes a key. */
export function KeyForm({ row, own, issued, close, saved }: Props) {
  const isNew = row === undefined
  const saver: typeof changeSaver = {
    ...changeSaver,
    async add({ name, grants, lastDay }, idempotencyKey) {
      const expiry = lastDay === '' ? {} : { expiresAt: endOf(lastDay) }
      const body = { name, scopes: grants.split(' '), ...expiry }
      const { key, ...created } = await client.keys.create(body, { idempotencyKey })
      issued({ ...created, key })
      return keyRowOf(created)
    },
  }
  return (
    <RecordEditor<Changeable, KeyDraft, KeyChange>
      title={isNew ? 'Create a key' : 'Change the key'}
      submitLabel={isNew ? 'Create' : 'Save'}
      saver={saver}
      record={row && changeableOf(row)}
      draft={draftOf(row)}
      versions={{ draftOf, compare }}
      done={({ id }) => (isNew ? `Key ${id} was created.` : `Key ${id} was saved.`)}
      saved={(now, sentence) => saved({ ...row, ...now } as KeyRow, sentence)}
      close={close}
    >
      {({ draft, set, text, problems, isSaving }) => (
        <>
          <TextInput
            label="Name"
            description="Who or what uses it"
            {...text('name')}
            spellCheck={false}
            autoComplete="off"
            autoFocus
          />
          <TextInput
            type="date"
            label="Last day"
            description="It expires at the end of this day; never without one (optional)"
            {...text('lastDay')}
            error={problems.expiresAt}
          />
          <ScopeField
            grants={draft.grants.split(' ').filter(Boolean)}
            own={own}
            error={problems.scopes}
            isSaving={isSaving}
            set={(grants) => set({ grants: grants.join(' ') })}
          />
          {row && <KeyFacts row={row} />}
        </>
      )}
    </RecordEditor>
  )
}

function changeableOf({ id, name, grants, expiresAt }: KeyRow): Changeable {
  return { id, name, grants, ...(expiresAt === undefined ? {} : { expiresAt }) }
}

function draftOf(key: Omit<Changeable, 'id'> | undefined): KeyDraft {
  const { name = '', grants = '', expiresAt } = key ?? {}
  return { name, grants, lastDay: lastDayOf(expiresAt) }
}

function lastDayOf(expiresAt: string | undefined): string {
  // The Swedish way to write a date is that of ISO 8601.
  return expiresAt === undefined ? '' : new Date(expiresAt).toLocaleDateString('sv')
}

function endOf(day: string): string {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? '' : end.toISOString()
}

function compare(mine: KeyDraft, key: Changeable) {
  const shown = (draft: KeyDraft) => ({ ...draft, grants: describeGrants(draft.grants) })
  const members = { name: labels.name, grants: 'Allowed to', lastDay: labels.expiresAt }
  return compareTexts(members, shown(mine), shown(draftOf(key)))
}
