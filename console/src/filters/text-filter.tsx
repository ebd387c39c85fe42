import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import classes from './filters.module.css'

const typingMs = 200

type Props = {
  label: string
  value: string
  isNumeric?: boolean
  /** Why what is typed does not filter yet. */
  mistakeIn?(text: string): string | undefined
  set(value: string | undefined): void
}

/** A filter that acts as one types. */
export function TextFilter({ label, value, isNumeric = false, mistakeIn, set }: Props) {
  const [typed, setTyped] = useState(value)
  const act = useDebouncedCallback((text: string) => set(text || undefined), typingMs)
  // The address may change by other means, such as the way back.
  useEffect(() => setTyped(value), [value])
  const mistake = typed === '' ? undefined : mistakeIn?.(typed)
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={label}
      inputMode={isNumeric ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      error={mistake !== undefined}
      title={mistake}
      onChange={({ currentTarget }) => {
        const text = isNumeric ? currentTarget.value.trim() : currentTarget.value
        setTyped(text)
        if (text === '' || mistakeIn?.(text) === undefined) act(text)
      }}
    />
  )
}
