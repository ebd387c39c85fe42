import { Button, Group, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { IssuedKey } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { Icon } from '../shared/icon.tsx'
import type { KeyRow } from './key-list.ts'
import classes from './keys.module.css'

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
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function rotate() {
    setIsSending(true)
    try {
      issued(await client.keys.rotate(id, { overlapSeconds: Number(overlap) }))
      close()
    } catch (error) {
      setProblem(describeError(error))
      setIsSending(false)
    }
  }

  return (
    <Modal
      opened
      onClose={() => isSending || close()}
      title={<strong>Rotate key {String(id)}</strong>}
      centered
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
      {problem !== undefined && (
        <p role="alert" className={classes.wrong}>
          <Icon name="alert" /> {problem}
        </p>
      )}
      <Group mt="lg" gap="sm" justify="flex-end">
        <Button variant="default" disabled={isSending} onClick={close}>
          Cancel
        </Button>
        <Button loading={isSending} onClick={() => void rotate()} data-autofocus>
          Rotate
        </Button>
      </Group>
    </Modal>
  )
}
