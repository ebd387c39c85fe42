import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { copyText } from '../shared/copy-text.ts'
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
      <code className={classes.secret}>{text}</code>
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
