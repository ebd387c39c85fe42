import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { consoleUrl } from './api/page-context.ts'
import { session } from './api/session.ts'
import { parseSearch, stringifySearch } from './base/search-params.ts'
import { readCategorySearch } from './categories/category-search.ts'
import { startFor } from './frame/destinations.ts'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './frame/not-found.tsx'
import { PageError } from './frame/page-error.tsx'
import { readStockSearch } from './inventory/stock-search.ts'
import { readOrderSearch } from './orders/order-search.ts'
import { readPetSearch } from './pets/pet-search.ts'
import { PetsPage } from './pets/pets-page.tsx'
import { importPage } from './shared/load-part.ts'

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: startFor(session.get()?.scopes ?? []), replace: true })
  },
})

const petsRoute = createRoute({
  getParentRoute: () => root,
  path: '/pets',
  validateSearch: readPetSearch,
  component: PetsPage,
})

const overviewRoute = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyRouteComponent(
    () => importPage(() => import('./overview/overview-page.tsx')),
    'OverviewPage',
  ),
})

const ordersRoute = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrderSearch,
  component: lazyRouteComponent(
    () => importPage(() => import('./orders/orders-page.tsx')),
    'OrdersPage',
  ),
})

const inventoryRoute = createRoute({
  getParentRoute: () => root,
  path: '/inventory',
  validateSearch: readStockSearch,
  component: lazyRouteComponent(
    () => importPage(() => import('./inventory/inventory-page.tsx')),
    'InventoryPage',
  ),
})

const categoriesRoute = createRoute({
  getParentRoute: () => root,
  path: '/categories',
  validateSearch: readCategorySearch,
  component: lazyRouteComponent(
    () => importPage(() => import('./categories/categories-page.tsx')),
    'CategoriesPage',
  ),
})

/** The pages. All are one level deep, since the files of the console are named relative to the page. */
export const router = createRouter({
  routeTree: root.addChildren([
    start,
    overviewRoute,
    petsRoute,
    ordersRoute,
    inventoryRoute,
    categoriesRoute,
  ]),
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
