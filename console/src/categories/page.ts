import { definePage, lazyPage } from '../shared/define-page.ts'
import { readCategorySearch } from './category-search.ts'

export const categoriesPage = definePage({
  path: '/categories',
  label: 'Categories',
  icon: 'tag',
  letter: 'c',
  scopes: ['pets:read'],
  readSearch: readCategorySearch,
  component: lazyPage(() => import('./categories-page.tsx')),
})
