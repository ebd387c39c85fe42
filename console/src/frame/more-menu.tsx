import {
  Group,
  SegmentedControl,
  Switch,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reader } from '../api/client.ts'
import { docsUrl } from '../api/page-context.ts'
import { queryClient } from '../api/query-client.ts'
import { signOut, useSession } from '../api/session.ts'
import { useStore } from '../base/store.ts'
import type { Page } from '../shared/define-page.ts'
import { sendAllDelayed } from '../shared/delayed-actions.ts'
import { Icon } from '../shared/icon.tsx'
import { setSingleKeys, singleKeys } from '../shared/shortcuts.ts'
import { leaveForm } from '../shared/unsaved.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './more-menu.module.css'
import { openPalette } from './palette.tsx'

const id = 'more'
export const opensMore = { popoverTarget: id }

/** Who is signed in, the colour scheme, help, and signing out; `pages`: those that a phone's bar has no room for. */
export function MoreMenu({ pages }: { pages: readonly Page[] }) {
  const isOn = useStore(singleKeys)
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
      <p className={classes.who}>
        <SignedIn />
      </p>
      <nav className={classes.pages} aria-label="More pages">
        <PageLinks pages={pages} className={classes.item} />
      </nav>
      <ColourScheme />
      <UnstyledButton className={classes.item} onClick={openPalette}>
        <Icon name="keyboard" /> Commands and their keys
      </UnstyledButton>
      <Switch
        className={`${classes.item} ${classes.keys}`}
        size="xs"
        label="Keys without Ctrl or Command"
        checked={isOn}
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />
      <a className={classes.item} href={docsUrl.href} target="_blank" rel="noreferrer">
        <Icon name="link" /> API reference
      </a>
      <UnstyledButton className={classes.item} onClick={() => leaveForm(() => void leave())}>
        <Icon name="signOut" /> Sign out
      </UnstyledButton>
    </section>
  )
}

type LinksProps = { pages: readonly Page[]; className: string | undefined }

export function PageLinks({ pages, className }: LinksProps) {
  return pages.map(({ path, label, icon }) => (
    <Link key={path} to={path} className={className} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={icon} />
      {label}
    </Link>
  ))
}

/** Names the key that is signed in. */
export function SignedIn() {
  const key = useSession()?.key
  const { data: own } = useQuery({
    queryKey: ['name of the own key', key?.slice(-6)],
    queryFn: ({ signal }) => reader.keys.getOwn({ signal }),
  })
  return (
    <Group component="span" gap="0.3em" wrap="nowrap" flex={1} miw={0}>
      Signed in{own && ' as '}
      {own && <UserText text={own.name} />}
    </Group>
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
