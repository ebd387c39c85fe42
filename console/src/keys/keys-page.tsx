import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { IssuedKey, Key } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { apiUrl } from '../api/page-context.ts'
import { session, signIn } from '../api/session.ts'
import classes from '../editor/dialogs.module.css'
import { CopiedText, SecretDialog } from '../editor/secret-dialog.tsx'
import { SendDialog } from '../editor/send-dialog.tsx'
import { delay } from '../shared/delayed-actions.ts'
import { edit, type RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useRecordList } from '../table/use-record-list.ts'
import { mayChange, useOwnKey } from './grants.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyForm, KeyPanel } from './key-form.tsx'

/** Shows who has which key; creates, changes, rotates and revokes keys. */
export function KeysPage() {
  const list = useRecordList<Key>({
    key: ['keys'],
    // No event tells of a use: the list is polled.
    kinds: ['key', 'use of a key'],
    order: 'id',
    fetch: (query, options) => reader.keys.list(query, options),
  })
  const ownKey = useOwnKey()
  const own = ownKey?.scopes ?? []
  const [rotating, setRotating] = useState<Key>()
  const [issued, setIssued] = useState<IssuedKey>()
  const isOffered = (key: Key) => mayChange(own, key)
  const actions: readonly RecordAction<Key>[] = [
    { label: 'Rotate', icon: 'rotate', shortcut: 'r', isOffered, run: setRotating },
    {
      label: 'Revoke',
      icon: 'trash',
      shortcut: 'Delete',
      isOffered,
      run: (key, { put }) => revokeLater(key, put),
    },
  ]

  function rotated({ key, ...now }: IssuedKey) {
    // The session goes on, also where the old key ends at once.
    if (now.id === ownKey?.id) signIn(key, session.get()?.scopes)
    list.put(now)
    setIssued({ ...now, key })
  }

  return (
    <>
      <RecordPage<Key>
        kind="key"
        about="Who may use the store, and for what"
        list={list}
        columns={keyColumns}
        empty={{ title: 'There are no keys', text: 'Keys created here appear here.', icon: 'key' }}
        add={ownKey && 'Create'}
        open={{ ...edit, isOffered }}
        actions={actions}
        detail={(row, opened) =>
          row === undefined || mayChange(own, row) ? (
            <KeyForm row={row} own={own} issued={setIssued} {...opened} />
          ) : (
            <KeyPanel row={row} close={opened.close} />
          )
        }
      />
      {rotating && (
        <RotateDialog row={rotating} close={() => setRotating(undefined)} issued={rotated} />
      )}
      {issued && <IssuedDialog issued={issued} close={() => setIssued(undefined)} />}
    </>
  )
}

/** A key that was just issued, with a command that uses it. */
function IssuedDialog({ issued: { id, key }, close }: { issued: IssuedKey; close(): void }) {
  return (
    <SecretDialog
      title="Copy the key now"
      note={`Key ${id} is shown this once, since it is not stored.`}
      secret={key}
      name="The key"
      close={close}
    >
      <p className={classes.note}>This command tries it:</p>
      <CopiedText
        text={`curl -H 'Authorization: Bearer ${key}' '${apiUrl.href}/keys/self'`}
        name="The command"
        label="Copy the command"
      />
    </SecretDialog>
  )
}

/** Revokes a key after some seconds in which it can be undone. */
function revokeLater(key: Key, done: (key: Key) => void): void {
  const { id, name } = key
  delay({
    id: `key ${id}`,
    verb: 'Revoking',
    name,
    done: `Key ${id} was revoked.`,
    async send() {
      await client.keys.revoke(id)
      done({ ...key, revokedAt: new Date().toISOString() })
    },
  })
}

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
]

type RotateProps = { row: Key; close(): void; issued(key: IssuedKey): void }

/** Asks when the old key ends, and issues its successor. */
function RotateDialog({ row: { id, hint }, close, issued }: RotateProps) {
  const [overlap, setOverlap] = useState('86400')
  return (
    <SendDialog
      title={`Rotate key ${id}`}
      submitLabel="Rotate"
      send={async () => issued(await client.keys.rotate(id, { overlapSeconds: Number(overlap) }))}
      close={close}
    >
      <p className={classes.note}>
        It gets a new key with the same name and scopes. How long is the old one,{' '}
        <code>{hint}</code>, accepted beside it?
      </p>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="The old key is accepted"
        value={overlap}
        onChange={setOverlap}
        data={overlaps}
      />
    </SendDialog>
  )
}
