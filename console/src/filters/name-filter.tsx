import { ActionIcon, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcut } from '../shared/shortcuts.ts'
import classes from './filters.module.css'
import { useTypedFilter } from './use-typed-filter.ts'

type Props = {
  /** What it finds, such as `pets`. */
  of: string
  /** How it finds them. */
  label: string
  /** The longest text that the service takes, in code points. */
  max: number
  name: string
  setName(name: string | undefined): void
}

/** Finds records by their names, as one types. */
export function NameFilter({ of, label, max, name, setName }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type } = useTypedFilter(name, setName)
  useShortcut({
    keys: '/',
    label: `Find ${of} by name`,
    group: `${of.charAt(0).toUpperCase()}${of.slice(1)}`,
    run: () => input.current?.select(),
  })
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.name}
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={max}
      spellCheck={false}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        if (typed === '') focusPage()
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
            onClick={() => {
              type('')
              input.current?.focus()
            }}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        )
      }
    />
  )
}
