import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { IssuedKey } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import classes from '../editor/dialogs.module.css'
import { SendDialog } from '../editor/send-dialog.tsx'
import type { KeyRow } from './key-list.ts'

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
]

type Props = { row: KeyRow; close(): void; issued(key: IssuedKey): void }

/** Asks when the old key ends, and issues its successor. */
export function RotateDialog({ row: { id, hint }, close, issued }: Props) {
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
