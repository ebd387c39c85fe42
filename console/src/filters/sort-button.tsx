import { Button, UnstyledButton } from '@mantine/core'
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

/** The head of a column of names: a click orders the list by them, the next one in reverse, a third one by ids again. */
export function NameHead() {
  const [sort, setSort] = useFilter('sort')
  const next = sort === 'name' ? '-name' : sort === '-name' ? undefined : 'name'
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      title={next === undefined ? 'Order by id' : 'Order by name'}
      tabIndex={-1}
      onClick={() => setSort(next)}
    >
      Name {next === '-name' && <Icon name="arrowUp" size={14} />}
      {next === undefined && <Icon name="arrowDown" size={14} />}
    </UnstyledButton>
  )
}
