import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../frame/shortcuts.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './filters.module.css'

const typingMs = 150

type Props = {
  /** What it finds, such as `pets`. */
  of: string
  name: string
  setName(name: string | undefined): void
}

/** Finds records by the beginning of their names, as one types. */
export function NameFilter({ of, name, setName }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const search = useDebouncedCallback((text: string) => setName(text || undefined), typingMs)
  // The address may change by other means: the palette, or the way back.
  useEffect(() => setTyped(name), [name])
  useShortcut({
    keys: '/',
    label: `Find ${of} by name`,
    group: `${of.charAt(0).toUpperCase()}${of.slice(1)}`,
    run: () => input.current?.select(),
  })
  function type(text: string) {
    setTyped(text)
    search(text)
  }
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.name}
      aria-label="Find by name"
      placeholder="Find by name"
      value={typed}
      maxLength={1_000}
      spellCheck={false}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        if (typed === '') currentTarget.blur()
        else type('')
      }}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        typed !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear the name"
            onClick={() => type('')}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        )
      }
    />
  )
}
