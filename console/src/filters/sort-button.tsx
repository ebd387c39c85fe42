import { Button } from '@mantine/core'
import { Icon } from '../shared/icon.tsx'
import classes from './filters.module.css'
import { useFilter } from './use-address.ts'

/** Shows the order of a list, and reverses it. `reverse`: the value of `sort` other than the default. */
export function SortButton({ reverse }: { reverse: 'id' | '-id' }) {
  const [sort, setSort] = useFilter('sort')
  const isNewestFirst = (sort === reverse) === (reverse === '-id')
  return (
    <Button
      variant="default"
      className={classes.order}
      title="Reverse the order"
      leftSection={<Icon name={isNewestFirst ? 'arrowDown' : 'arrowUp'} size={16} />}
      onClick={() => setSort(sort === reverse ? undefined : reverse)}
    >
      {isNewestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  )
}
