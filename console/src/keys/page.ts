import { isIdText, searchReader } from '../base/search-params.ts'
import { definePage } from '../shared/define-page.ts'
import { KeysPage } from './keys-page.tsx'

export const keysPage = definePage({
  path: '/keys',
  label: 'Keys',
  icon: 'key',
  letter: 'k',
  scopes: ['keys:manage'],
  readSearch: searchReader<{ at?: string }>({ at: isIdText }),
  component: KeysPage,
})
