import { Popover, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { docsUrl } from '../api/page-context.ts'
import { queryClient } from '../api/query-client.ts'
import { hasFullAccess, signOut, useSession } from '../api/session.ts'
import { sendAllDelayed } from '../shared/delayed-actions.ts'
import { Icon } from '../shared/icon.tsx'
import { leaveForm } from '../shared/unsaved.ts'
import classes from './account-menu.module.css'

/** What the key may do, the colour scheme, help, and signing out. */
export function AccountMenu({ openShortcuts }: { openShortcuts(): void }) {
  const session = useSession()
  const [isOpen, setIsOpen] = useState(false)

  async function leave() {
    // What waits for its undo is sent with the key that asked for it.
    if (!(await sendAllDelayed())) return
    signOut()
    queryClient.clear()
  }

  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="top-start"
      width={260}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton className={classes.button} onClick={() => setIsOpen(!isOpen)}>
          <span className={classes.picture}>
            <Icon name="key" size={17} />
          </span>
          <span className={classes.words}>
            <span>Signed in</span>
            <small>{describeScopes(session?.scopes ?? [])}</small>
          </span>
          <Icon name="more" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <ColourScheme />
        <UnstyledButton
          className={classes.item}
          onClick={() => {
            setIsOpen(false)
            openShortcuts()
          }}
        >
          <Icon name="keyboard" /> Keyboard shortcuts
        </UnstyledButton>
        <a className={classes.item} href={docsUrl.href} target="_blank" rel="noreferrer">
          <Icon name="link" /> API reference
        </a>
        <UnstyledButton className={classes.item} onClick={() => leaveForm(() => void leave())}>
          <Icon name="signOut" /> Sign out
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  )
}

function ColourScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Colour scheme"
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}

function describeScopes(scopes: readonly string[]): string {
  if (hasFullAccess(scopes)) return 'Full access'
  const names = scopes.flatMap((scope) => /^(.+):write$/.exec(scope)?.[1] ?? [])
  const list = new Intl.ListFormat('en-GB').format(names)
  return list === '' ? 'Read only' : `Can change ${list}`
}
