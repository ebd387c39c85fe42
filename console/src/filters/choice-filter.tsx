import { type OptionsFilter, Select } from '@mantine/core'
import classes from './filters.module.css'
import { useFilter } from './use-address.ts'

type Props = {
  /** Its parameter of the address. */
  name: string
  label: string
  /** Where nothing is chosen, such as `Any category`. */
  everything: string
  options: readonly { value: string; label: string }[]
  /** Finds options by typed text; without it nothing can be typed. */
  filter?: OptionsFilter
}

/** A filter that is chosen from a list. */
export function ChoiceFilter({ name, label, everything, options, filter }: Props) {
  const [value, set] = useFilter(name)
  return (
    <Select
      className={classes.choice}
      aria-label={label}
      placeholder={everything}
      value={value ?? null}
      onChange={(chosen) => set(chosen ?? undefined)}
      data={[...options]}
      searchable={filter !== undefined}
      {...(filter && { filter, nothingFoundMessage: 'No match' })}
      clearable
      clearButtonProps={{ 'aria-label': everything }}
      limit={100}
    />
  )
}
