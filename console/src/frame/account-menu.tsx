import { Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { docsUrl } from '../api/place.ts'
import { queryClient } from '../api/query-client.ts'
import { signOut, useSession } from '../session/session.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './account-menu.module.css'

/** What concerns the one who works here: the key, the looks, help, the way out. */
export function AccountMenu({ openShortcuts }: { openShortcuts(): void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const session = useSession()

  function leave() {
    signOut()
    queryClient.clear()
  }

  return (
    <Menu position="top-start" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className={classes.picture}>
            <Icon name="key" size={17} />
          </span>
          <span className={classes.words}>
            <span>Signed in</span>
            <small>{describeScopes(session?.scopes ?? [])}</small>
          </span>
          <Icon name="more" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        <SegmentedControl
          className={classes.schemes}
          fullWidth
          size="xs"
          aria-label="Colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          component="a"
          href={docsUrl.href}
          target="_blank"
          rel="noreferrer"
          leftSection={<Icon name="link" />}
        >
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function describeScopes(scopes: readonly string[]): string {
  const writes = scopes.filter((scope) => scope.endsWith(':write'))
  if (writes.length === 0) return 'May only read'
  return writes.length === 3 ? 'May do everything' : `May change ${namesOf(writes)}`
}

function namesOf(scopes: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(scopes.map((scope) => scope.split(':', 1)[0] ?? ''))
}
