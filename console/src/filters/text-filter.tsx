import { TextInput } from '@mantine/core'
import classes from './filters.module.css'
import { useTypedFilter } from './use-typed-filter.ts'

type Props = {
  label: string
  value: string
  isNumeric?: boolean
  lengthMax?: number
  /** Why what is typed does not filter yet. */
  mistakeIn?(text: string): string | undefined
  set(value: string | undefined): void
}

/** A filter that acts as one types. */
export function TextFilter({ label, value, isNumeric = false, lengthMax, mistakeIn, set }: Props) {
  const { typed, type } = useTypedFilter(value, set)
  const mistake = typed === '' ? undefined : mistakeIn?.(typed)
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={label}
      inputMode={isNumeric ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={lengthMax}
      value={typed}
      error={mistake !== undefined}
      title={mistake}
      onChange={({ currentTarget }) => {
        const text = isNumeric ? currentTarget.value.trim() : currentTarget.value
        type(text, text === '' || mistakeIn?.(text) === undefined)
      }}
    />
  )
}
