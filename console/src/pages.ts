import { categoriesPage } from './categories/page.ts'
import { eventsPage } from './events/page.ts'
import { inventoryPage } from './inventory/page.ts'
import { keysPage } from './keys/page.ts'
import { ordersPage } from './orders/page.ts'
import { overviewPage } from './overview/page.ts'
import { petsPage } from './pets/page.ts'
import { webhooksPage } from './webhooks/page.ts'

/** All pages, in the order of the menu. */
export const pages = [
  overviewPage,
  petsPage,
  ordersPage,
  inventoryPage,
  categoriesPage,
  eventsPage,
  keysPage,
  webhooksPage,
] as const
