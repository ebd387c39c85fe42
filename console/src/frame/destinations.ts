import type { Scope } from '../../../src/contract/scopes.ts'
import type { IconName } from '../shared/icon.tsx'

/** A page that the navigation leads to. */
export type Destination = {
  path: '/overview' | '/pets' | '/orders' | '/inventory' | '/categories'
  label: string
  icon: IconName | 'paw'
  /** After `g`, leads there. */
  key: string
  /** What a key needs for it. */
  scope: Scope
}

/** All pages, in the order of the navigation. */
export const destinations: readonly Destination[] = [
  { path: '/overview', label: 'Overview', icon: 'chart', key: 'v', scope: 'pets:read' },
  { path: '/pets', label: 'Pets', icon: 'paw', key: 'p', scope: 'pets:read' },
  { path: '/orders', label: 'Orders', icon: 'cart', key: 'o', scope: 'orders:read' },
  { path: '/inventory', label: 'Inventory', icon: 'box', key: 'i', scope: 'inventory:read' },
  { path: '/categories', label: 'Categories', icon: 'tag', key: 'c', scope: 'pets:read' },
]
