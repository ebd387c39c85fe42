import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { parseId } from '../base/int64-text.ts'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcuts } from '../shared/shortcuts.ts'
import classes from './filters.module.css'
import { useFilter } from './use-address.ts'

type Props = {
  /** Its parameter of the address. */
  name: string
  label: string
  /** Only an id filters. */
  isId?: boolean
  /** It finds records by their names, and has a key that leads to it. */
  isSearch?: boolean
  /** The longest text that the service takes, in code points. */
  lengthMax?: number
}

/** A filter that acts as one types. */
export function TextFilter({ name, label, isId = false, isSearch = false, lengthMax }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type } = useTypedFilter(name)
  const { label: page } = usePage()
  const find = {
    keys: '/',
    label: `Find ${page.toLowerCase()}`,
    run: () => input.current?.select(),
  }
  useShortcuts(page, isSearch ? [find] : [])
  const isAccepted = (text: string) => !isId || text === '' || parseId(text) !== undefined
  const isWrong = !isAccepted(typed)
  return (
    <TextInput
      ref={input}
      className={isSearch ? classes.name : classes.choice}
      aria-label={label}
      placeholder={label}
      {...(isSearch && { type: 'search', leftSection: <Icon name="search" size={16} /> })}
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
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        if (typed === '') focusPage()
        else type('')
      }}
    />
  )
}

/** How long after the last key a text filters. */
const typingMs = 40

/** A filter that acts as one types. It follows its value where that changes by other means, such as the way back. */
function useTypedFilter(name: string) {
  const [value = '', set] = useFilter(name)
  const [typed, setTyped] = useState(value)
  // What arrives may be older than what has been typed since.
  const sent = useRef(value)
  const send = useDebouncedCallback((text: string) => {
    sent.current = text
    set(text || undefined)
  }, typingMs)
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    send.cancel()
    setTyped(value)
  }, [value, send])
  return {
    typed,
    /** Shows a text that was typed; `acts`, unless false, also filters by it. */
    type(text: string, acts = true) {
      setTyped(text)
      if (acts) send(text)
      else send.cancel()
    },
  }
}
