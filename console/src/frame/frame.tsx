import { UnstyledButton } from '@mantine/core'
import { useDidUpdate, useDocumentTitle } from '@mantine/hooks'
import { Outlet, useMatches, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { environment } from '../api/page-context.ts'
import { useSession } from '../api/session.ts'
import { pages } from '../pages.ts'
import { mayUse, type Page } from '../shared/define-page.ts'
import { EnvironmentBadge } from '../shared/environment-badge.tsx'
import { keepFocus } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import { listenForShortcuts, useShortcuts } from '../shared/shortcuts.ts'
import { useAskedPages } from '../shared/unsaved.ts'
import classes from './frame.module.css'
import { Kbd } from './kbd.tsx'
import { Messages } from './messages.tsx'
import { MoreMenu, opensMore, PageLinks, SignedIn } from './more-menu.tsx'
import { NotAllowed } from './notices.tsx'
import { openPalette, Palette } from './palette.tsx'

/** The pages in the bar of a phone. */
const barMax = 4

/** What is around every page: navigation, palette, shortcuts, the state of the connection. */
export function Frame() {
  const { scopes = [] } = useSession() ?? {}
  const own: readonly Page[] = pages.filter((page) => mayUse(page, scopes))
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const navigate = useNavigate()

  const prefix = environment === 'staging' ? '[staging] ' : ''
  useDocumentTitle(page === undefined ? '' : `${prefix}${page.label} · Pet store`)
  // A command of the palette leaves a page that had the focus.
  useDidUpdate(keepFocus, [page?.path])
  useEffect(() => listenForShortcuts(window), [])
  useAskedPages()
  useShortcuts('Everywhere', [
    ...own.map(({ path, label, letter }) => ({
      keys: `g ${letter}`,
      label: `Go to ${label}`,
      run: () => void navigate({ to: path }),
    })),
    { keys: 'mod+k', label: 'Search and commands', run: openPalette },
    { keys: '?', label: 'All commands and their keys', run: openPalette },
  ])

  return (
    <div className={classes.frame} data-environment={environment}>
      <a className={`only-heard ${classes.skip}`} href="#page">
        Skip to content
      </a>
      <section className={classes.brand} aria-label="Store">
        <Icon name="paw" size={26} />
        <strong>Pet store</strong>
        <EnvironmentBadge />
      </section>
      <UnstyledButton className={classes.search} onClick={openPalette}>
        <Icon name="search" />
        <span>Search</span>
        <span>
          <Kbd keys="mod+k" />
        </span>
      </UnstyledButton>
      <nav className={classes.nav} aria-label="Pages">
        <PageLinks pages={own} className={classes.link} />
        <UnstyledButton {...opensMore} className={`${classes.link} ${classes.more}`}>
          <Icon name="more" />
          More
        </UnstyledButton>
      </nav>
      <div className={classes.account}>
        <UnstyledButton {...opensMore} className={classes.link}>
          <Icon name="key" />
          <SignedIn />
          <Icon name="more" />
        </UnstyledButton>
      </div>
      <MoreMenu pages={own.slice(barMax)} />
      <main id="page" className={classes.page} tabIndex={-1}>
        {page === undefined || mayUse(page, scopes) ? <Outlet /> : <NotAllowed own={own} />}
      </main>
      <Messages />
      <Palette />
    </div>
  )
}
