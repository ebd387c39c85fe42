import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { describeError } from '../api/describe-error.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './dialogs.module.css'

type Props = {
  title: string
  /** The word of the button. */
  submitLabel: string
  send(): Promise<unknown>
  close(): void
  children: ReactNode
}

/** Asks before something is sent; closes once it was done, else says why it was not. */
export function SendDialog({ title, submitLabel, send, close, children }: Props) {
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    setIsSending(true)
    try {
      await send()
      close()
    } catch (error) {
      setProblem(describeError(error))
      setIsSending(false)
    }
  }

  return (
    <Modal opened onClose={() => isSending || close()} title={<strong>{title}</strong>} centered>
      <form onSubmit={submit} noValidate>
        {children}
        {problem !== undefined && (
          <p role="alert" className={classes.wrong}>
            <Icon name="alert" /> {problem}
          </p>
        )}
        <Group mt="lg" gap="sm" justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending} data-autofocus>
            {submitLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
