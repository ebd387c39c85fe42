import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { client } from '../api/client.ts'
import { noteChanges } from '../api/following.ts'
import { parseId } from '../base/int64-text.ts'
import { SendDialog } from '../editor/send-dialog.tsx'
import { showToast } from '../shared/toasts.ts'

type Props = { of: Int64; first: string; close(): void }

/** Asks after which event all are sent once more. */
export function ReplayDialog({ of, first, close }: Props) {
  const [text, setText] = useState(first)
  async function send() {
    const after = parseId(text)
    if (after === undefined) throw new Error('Type the id of an event.')
    await client.webhooks.replay(of, { after })
    showToast(`The events after ${after} are sent again.`)
    noteChanges(['delivery'])
  }
  return (
    <SendDialog title="Replay events" submitLabel="Replay" send={send} close={close}>
      <TextInput
        label="After the event"
        description="All later events are sent again, also those that were received"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
    </SendDialog>
  )
}
