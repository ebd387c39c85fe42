import { TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { parseId } from '../base/int64-text.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcut } from '../shared/shortcuts.ts'
import classes from './filters.module.css'

type Props = {
  /** The list, such as `Pets`. */
  group: string
  jump(id: Int64): void
}

/** Leads to the record with an id, or to the next one after it. */
export function JumpToId({ group, jump }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  useShortcut({
    keys: '#',
    label: 'Go to an id',
    group,
    run: () => input.current?.select(),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const id = parseId(text)
    setIsWrong(id === undefined)
    if (id === undefined) return
    setText('')
    jump(id)
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
