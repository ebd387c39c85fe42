import { isIdText, isText, searchReader } from '../base/search-params.ts'
import { definePage } from '../shared/define-page.ts'
import { CategoriesPage } from './categories-page.tsx'
import type { CategorySearch } from './category-list.ts'

export const categoriesPage = definePage({
  path: '/categories',
  label: 'Categories',
  icon: 'tag',
  letter: 'c',
  scopes: ['pets:read'],
  readSearch: searchReader<CategorySearch>({ name: isText, at: isIdText }),
  component: CategoriesPage,
})
