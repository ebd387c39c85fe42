import { SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { reader } from '../api/client.ts'
import { docsUrl } from '../api/page-context.ts'
import { queryClient } from '../api/query-client.ts'
import { hasFullAccess, signOut, useSession } from '../api/session.ts'
import type { Page } from '../shared/define-page.ts'
import { sendAllDelayed } from '../shared/delayed-actions.ts'
import { Icon } from '../shared/icon.tsx'
import { leaveForm } from '../shared/unsaved.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './more-menu.module.css'
import { PageLinks } from './page-links.tsx'

const id = 'more'
export const opensMore = { popoverTarget: id }

type Props = {
  /** On a phone the bar has no room for them. */
  pages: readonly Page[]
  openShortcuts(): void
}

/** Further pages, the colour scheme, help, and signing out. Buttons with `opensMore` open it. */
export function MoreMenu({ pages, openShortcuts }: Props) {
  async function leave() {
    // What waits for its undo is sent with the key that asked for it.
    if (!(await sendAllDelayed())) return
    signOut()
    queryClient.clear()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys click what is within
    <section
      id={id}
      popover="auto"
      className={classes.menu}
      aria-label="More"
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest('a, button')) currentTarget.hidePopover()
      }}
    >
      <nav className={classes.pages} aria-label="More pages">
        <PageLinks pages={pages} className={classes.item} />
      </nav>
      <ColourScheme />
      <UnstyledButton className={classes.item} onClick={openShortcuts}>
        <Icon name="keyboard" /> Keyboard shortcuts
      </UnstyledButton>
      <a className={classes.item} href={docsUrl.href} target="_blank" rel="noreferrer">
        <Icon name="link" /> API reference
      </a>
      <UnstyledButton className={classes.item} onClick={() => leaveForm(() => void leave())}>
        <Icon name="signOut" /> Sign out
      </UnstyledButton>
    </section>
  )
}

/** Names the key that is signed in, and opens the menu. */
export function AccountButton() {
  const { key, scopes = [] } = useSession() ?? {}
  const { data: own } = useQuery({
    queryKey: ['name of the own key', key?.slice(-6)],
    queryFn: ({ signal }) => reader.keys.getOwn({ signal }),
  })
  return (
    <UnstyledButton {...opensMore} className={classes.button}>
      <span className={classes.picture}>
        <Icon name="key" size={17} />
      </span>
      <span className={classes.words}>
        <span className={classes.name}>
          Signed in{own && ' as '}
          {own && <UserText text={own.name} />}
        </span>
        <small>{describeScopes(scopes)}</small>
      </span>
      <Icon name="more" />
    </UnstyledButton>
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
