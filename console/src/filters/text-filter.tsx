import { TextInput } from '@mantine/core'
import { parseId } from '../base/int64-text.ts'
import classes from './filters.module.css'
import { useTypedFilter } from './use-typed-filter.ts'

type Props = {
  /** Its parameter of the address. */
  name: string
  label: string
  /** Only an id filters. */
  isId?: boolean
  lengthMax?: number
}

/** A filter that acts as one types. */
export function TextFilter({ name, label, isId = false, lengthMax }: Props) {
  const { typed, type } = useTypedFilter(name)
  const isAccepted = (text: string) => !isId || text === '' || parseId(text) !== undefined
  const isWrong = !isAccepted(typed)
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={label}
      inputMode={isId ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={lengthMax}
      value={typed}
      error={isWrong}
      title={isWrong ? 'An id is a number.' : undefined}
      onChange={({ currentTarget }) => {
        const text = isId ? currentTarget.value.trim() : currentTarget.value
        type(text, isAccepted(text))
      }}
    />
  )
}
