import { ActionIcon, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcut } from '../shared/shortcuts.ts'
import classes from './filters.module.css'
import { useTypedFilter } from './use-typed-filter.ts'

/** The longest name that the service finds by its beginning, in code points. */
const nameMax = 100

type Props = {
  /** What it finds, such as `pets`. */
  of: string
  name: string
  setName(name: string | undefined): void
}

/** Finds records by the beginning of their names, as one types. */
export function NameFilter({ of, name, setName }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type } = useTypedFilter(name, setName)
  useShortcut({
    keys: '/',
    label: `Find ${of} by the beginning of the name`,
    group: `${of.charAt(0).toUpperCase()}${of.slice(1)}`,
    run: () => input.current?.select(),
  })
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.name}
      aria-label="Name begins with"
      placeholder="Name begins with"
      value={typed}
      maxLength={nameMax}
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
