import { TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { parseId } from '../base/int64-text.ts'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcuts } from '../shared/shortcuts.ts'
import classes from './filters.module.css'
import { useFilter } from './use-address.ts'

/** Leads to the record with an id, or to the next one after it. */
export function JumpToId() {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const [, jump] = useFilter('at')
  const { label } = usePage()
  useShortcuts(label, [{ keys: '#', label: 'Go to an id', run: () => input.current?.select() }])

  function submit(event: FormEvent) {
    event.preventDefault()
    const id = parseId(text)
    setIsWrong(id === undefined)
    if (id === undefined) return
    setText('')
    jump(String(id))
    focusPage()
  }

  return (
    <form onSubmit={submit} className={classes.jump} noValidate>
      <TextInput
        ref={input}
        aria-label="Go to id"
        placeholder="Go to id"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={isWrong}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setIsWrong(false)
        }}
        leftSection={<Icon name="hash" size={16} />}
      />
    </form>
  )
}
