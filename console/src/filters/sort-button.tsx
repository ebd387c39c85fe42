import { Button } from '@mantine/core'
import { Icon } from '../shared/icon.tsx'
import classes from './filters.module.css'

type Props = { isNewestFirst: boolean; setNewestFirst(isNewestFirst: boolean): void }

/** Says which end of a list comes first, and turns it round. */
export function SortButton({ isNewestFirst, setNewestFirst }: Props) {
  return (
    <Button
      variant="default"
      className={classes.order}
      title="Reverse the order"
      leftSection={<Icon name={isNewestFirst ? 'arrowDown' : 'arrowUp'} size={16} />}
      onClick={() => setNewestFirst(!isNewestFirst)}
    >
      {isNewestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  )
}
