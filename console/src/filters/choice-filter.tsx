import { type OptionsFilter, Select } from '@mantine/core'
import classes from './filters.module.css'

type Props = {
  label: string
  /** Where nothing is chosen, such as `Any category`. */
  everything: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** Whether one finds an option by typing. */
  isSearchable?: boolean
  /** How, where that is not by a part of the label. */
  filter?: OptionsFilter
  set(value: string | undefined): void
}

/** A filter that is chosen from a list. */
export function ChoiceFilter(props: Props) {
  const { label, everything, value, options, isSearchable = false, filter, set } = props
  return (
    <Select
      className={classes.choice}
      aria-label={label}
      placeholder={everything}
      value={value ?? null}
      onChange={(chosen) => set(chosen ?? undefined)}
      data={[...options]}
      searchable={isSearchable}
      {...(filter === undefined ? {} : { filter })}
      clearable
      clearButtonProps={{ 'aria-label': everything }}
      nothingFoundMessage={isSearchable ? 'No match' : undefined}
      limit={100}
    />
  )
}
