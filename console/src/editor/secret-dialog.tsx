import { Button, Code, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { showToast } from '../shared/toasts.ts'
import classes from './dialogs.module.css'

type Props = {
  title: string
  /** Why it is shown once. */
  note: string
  secret: string
  /** Such as `The key`. */
  name: string
  close(): void
  /** How it is used. */
  children: ReactNode
}

/** Shows a secret that was just issued, once: only its button closes it. */
export function SecretDialog({ title, note, secret, name, close, children }: Props) {
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={<strong>{title}</strong>}
      size="lg"
      centered
    >
      <p className={classes.note}>{note}</p>
      <CopiedText text={secret} name={name} label="Copy" isFirst />
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Modal>
  )
}

type CopiedProps = { text: string; name: string; label: string; isFirst?: boolean }

/** A text to copy, with a button that does. */
export function CopiedText({ text, name, label, isFirst = false }: CopiedProps) {
  return (
    <>
      <Code block mb="0.6rem">
        {text}
      </Code>
      <Button
        mb="md"
        variant={isFirst ? 'filled' : 'default'}
        onClick={() => void copyText(text, name)}
        {...(isFirst ? { 'data-autofocus': true } : {})}
      >
        {label}
      </Button>
    </>
  )
}

/** Copies a text, and says so. */
async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(`${name} copied.`)
  } catch {
    // Without HTTPS a browser gives no clipboard.
    showToast(`The browser blocked copying. ${name}: ${text}`)
  }
}
