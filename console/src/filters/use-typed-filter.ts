import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useFilter } from './use-address.ts'

/** How long after the last key a text filters. */
const typingMs = 40

type TypedFilter = {
  typed: string
  /** Shows a text that was typed; `acts`, unless false, also filters by it. */
  type(text: string, acts?: boolean): void
}

/** A filter that acts as one types. It follows its value where that changes by other means, such as the way back. */
export function useTypedFilter(name: string): TypedFilter {
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
    type(text, acts = true) {
      setTyped(text)
      if (acts) send(text)
      else send.cancel()
    },
  }
}
