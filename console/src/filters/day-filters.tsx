import { TextInput } from '@mantine/core'
import classes from './filters.module.css'
import { useFilter } from './use-address.ts'

/** Limits a list to what is of some days: from one on, up to one. */
export function DayFilters() {
  return (
    <span className={classes.days}>
      <DayFilter name="from" label="From this day on" />
      <DayFilter name="to" label="Up to this day" />
    </span>
  )
}

function DayFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const [value = '', set] = useFilter(name)
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      leftSection={<small>{name}</small>}
      leftSectionWidth={44}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
    />
  )
}
