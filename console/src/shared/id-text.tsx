import { UnstyledButton } from '@mantine/core'
import type { Int64 } from '../../../client/src/index.ts'
import { copyText } from './copy-text.ts'
import classes from './id-text.module.css'

type Props = {
  id: Int64
  /** What it is the id of. */
  of: string
  /** Within a grid the keys are those of the grid. */
  isInGrid?: boolean
}

/** An id, digit for digit. A click copies it. */
export function IdText({ id, of, isInGrid = false }: Props) {
  return (
    <UnstyledButton
      className={classes.id}
      tabIndex={isInGrid ? -1 : 0}
      title={`Copy the id of this ${of}`}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(String(id), `Id ${id}`)
      }}
    >
      {String(id)}
    </UnstyledButton>
  )
}
