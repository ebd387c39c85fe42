import { ActionIcon, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { useShortcuts } from '../shared/shortcuts.ts'
import classes from './filters.module.css'
import { useTypedFilter } from './use-typed-filter.ts'

type Props = {
  /** Its parameter of the address. */
  name: string
  /** Says which names it finds. */
  label: string
  /** The longest text that the service takes, in code points. */
  max: number
}

/** Finds records by their names, as one types. */
export function NameFilter({ name, label, max }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { typed, type } = useTypedFilter(name)
  const group = usePage().label
  const find = `Find ${group.toLowerCase()} by name`
  useShortcuts(group, [{ keys: '/', label: find, run: () => input.current?.select() }])
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
