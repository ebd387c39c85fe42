import type { Scope } from '../../../src/contract/scopes.ts'
import type { IconName } from '../shared/icon.tsx'

/** A page that the navigation leads to. */
export type Destination = {
  path: '/overview' | '/pets' | '/orders' | '/inventory' | '/categories'
  label: string
  icon: IconName | 'paw'
  /** After `g`, leads there. */
  key: string
  /** A key needs one of them for it. */
  scopes: readonly Scope[]
}

/** All pages, in the order of the navigation. */
const destinations: readonly Destination[] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: 'chart',
    key: 'v',
    scopes: ['pets:read', 'orders:read', 'inventory:read'],
  },
  { path: '/pets', label: 'Pets', icon: 'paw', key: 'p', scopes: ['pets:read'] },
  { path: '/orders', label: 'Orders', icon: 'cart', key: 'o', scopes: ['orders:read'] },
  { path: '/inventory', label: 'Inventory', icon: 'box', key: 'i', scopes: ['inventory:read'] },
  { path: '/categories', label: 'Categories', icon: 'tag', key: 'c', scopes: ['pets:read'] },
]

/** The pages that a key with these scopes may use. */
export function destinationsFor(scopes: readonly Scope[]): readonly Destination[] {
  return destinations.filter((destination) =>
    destination.scopes.some((scope) => scopes.includes(scope)),
  )
}

export function isDestination(path: string | undefined): boolean {
  return destinations.some((destination) => destination.path === path)
}

/** The page that the console begins with: the pets, where the key may read them. */
export function startFor(scopes: readonly Scope[]): Destination['path'] {
  const own = destinationsFor(scopes).map(({ path }) => path)
  return own.find((path) => path !== '/overview') ?? '/pets'
}
