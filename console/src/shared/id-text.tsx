import { UnstyledButton } from '@mantine/core'
import type { Int64 } from '../../../client/src/index.ts'
import { copyText } from './copy-text.ts'
import classes from './id-text.module.css'

type Props = {
  id: Int64
  /** What it is the id of. */
  of: string
}

/** An id, digit for digit. A click copies it. */
export function IdText({ id, of }: Props) {
  return (
    <UnstyledButton
      className={classes.id}
      title={`Copy the id of this ${of}`}
      onClick={() => void copyText(String(id), `Id ${id}`)}
    >
      {String(id)}
    </UnstyledButton>
  )
}
