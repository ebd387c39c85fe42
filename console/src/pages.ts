import { isIdText, isOtherOrder, isText, searchReader } from './base/search-params.ts'
import { CategoriesPage } from './categories/categories-page.tsx'
import { EventsPage, readEventSearch } from './events/events-page.tsx'
import { InventoryPage } from './inventory/inventory-page.tsx'
import { readStockSearch } from './inventory/stock-list.ts'
import { KeysPage } from './keys/keys-page.tsx'
import { readOrderSearch } from './orders/order-list.ts'
import { OrdersPage } from './orders/orders-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { readPetSearch } from './pets/pet-list.ts'
import { PetsPage } from './pets/pets-page.tsx'
import { definePage } from './shared/define-page.ts'
import { readWebhookSearch } from './webhooks/webhook-search.ts'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'

/** All pages, in the order of the menu. */
export const pages = [
  definePage({
    path: '/overview',
    label: 'Overview',
    icon: 'chart',
    letter: 'v',
    scopes: ['pets:read', 'orders:read', 'inventory:read'],
    component: OverviewPage,
  }),
  definePage({
    path: '/pets',
    label: 'Pets',
    icon: 'paw',
    letter: 'p',
    scopes: ['pets:read'],
    readSearch: readPetSearch,
    component: PetsPage,
  }),
  definePage({
    path: '/orders',
    label: 'Orders',
    icon: 'cart',
    letter: 'o',
    scopes: ['orders:read'],
    readSearch: readOrderSearch,
    component: OrdersPage,
  }),
  definePage({
    path: '/inventory',
    label: 'Inventory',
    icon: 'box',
    letter: 'i',
    scopes: ['inventory:read'],
    readSearch: readStockSearch,
    component: InventoryPage,
  }),
  definePage({
    path: '/categories',
    label: 'Categories',
    icon: 'tag',
    letter: 'c',
    scopes: ['pets:read'],
    readSearch: searchReader({ name: isText, sort: isOtherOrder, at: isIdText }),
    component: CategoriesPage,
  }),
  definePage({
    path: '/events',
    label: 'Events',
    icon: 'bolt',
    letter: 'e',
    scopes: ['pets:read', 'orders:read', 'inventory:read', 'keys:manage', 'webhooks:manage'],
    readSearch: readEventSearch,
    component: EventsPage,
  }),
  definePage({
    path: '/keys',
    label: 'Keys',
    icon: 'key',
    letter: 'k',
    scopes: ['keys:manage'],
    readSearch: searchReader({ at: isIdText }),
    component: KeysPage,
  }),
  definePage({
    path: '/webhooks',
    label: 'Webhooks',
    icon: 'send',
    letter: 'w',
    scopes: ['webhooks:manage'],
    readSearch: readWebhookSearch,
    component: WebhooksPage,
  }),
] as const
