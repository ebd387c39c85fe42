import { definePage, lazyPage } from '../shared/define-page.ts'
import { readKeySearch } from './key-search.ts'

export const keysPage = definePage({
  path: '/keys',
  label: 'Keys',
  icon: 'key',
  letter: 'k',
  scopes: ['keys:manage'],
  readSearch: readKeySearch,
  component: lazyPage(() => import('./keys-page.tsx')),
})
