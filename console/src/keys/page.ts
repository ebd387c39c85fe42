import { isIdText, searchReader } from '../base/search-params.ts'
import { definePage, lazyPage } from '../shared/define-page.ts'

export const keysPage = definePage({
  path: '/keys',
  label: 'Keys',
  icon: 'key',
  letter: 'k',
  scopes: ['keys:manage'],
  readSearch: searchReader<{ at?: string }>({ at: isIdText }),
  component: lazyPage(() => import('./keys-page.tsx')),
})
