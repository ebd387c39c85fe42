import { Button, Group, Modal } from '@mantine/core'
import type { IssuedKey } from '../../../client/src/generated/records.ts'
import { apiUrl } from '../api/page-context.ts'
import { copyText } from '../shared/copy-text.ts'
import classes from './keys.module.css'

type Props = { issued: IssuedKey; close(): void }

/** Shows a key that was just issued, once: only its button closes it. */
export function IssuedDialog({ issued: { id, key }, close }: Props) {
  const command = `curl -H 'Authorization: Bearer ${key}' '${apiUrl.href}/keys/self'`
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={<strong>Copy the key now</strong>}
      size="lg"
      centered
    >
      <p className={classes.note}>Key {String(id)} is shown this once, since it is not stored.</p>
      <code className={classes.secret}>{key}</code>
      <Group gap="sm" mb="md">
        <Button onClick={() => void copyText(key, 'The key')} data-autofocus>
          Copy
        </Button>
      </Group>
      <p className={classes.note}>This command tries it:</p>
      <code className={classes.secret}>{command}</code>
      <Group gap="sm" justify="space-between">
        <Button variant="default" onClick={() => void copyText(command, 'The command')}>
          Copy the command
        </Button>
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Modal>
  )
}
