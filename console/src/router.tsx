import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { consoleUrl } from './api/page-context.ts'
import { session } from './api/session.ts'
import { parseSearch, stringifySearch } from './base/search-params.ts'
import { Frame } from './frame/frame.tsx'
import { NotFound, PageError } from './frame/notices.tsx'
import { pages } from './pages.ts'
import { mayUse, root } from './shared/define-page.ts'

/** The address of no page leads to the first page that the key may use; to the overview only by the menu. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad() {
    const scopes = session.get()?.scopes ?? []
    const [, ...others] = pages
    throw redirect({
      to: (others.find((page) => mayUse(page, scopes)) ?? others[0]).path,
      replace: true,
    })
  },
})

/** The console's addresses: the start and the pages. */
export const router = createRouter({
  routeTree: root
    .update({ component: Frame, notFoundComponent: NotFound, errorComponent: PageError })
    .addChildren([start, ...pages.map(({ route }) => route)]),
  basepath: consoleUrl.pathname,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultErrorComponent: PageError,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
