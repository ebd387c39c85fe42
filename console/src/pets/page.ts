import { isPetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText, isText, searchReader } from '../base/search-params.ts'
import { definePage } from '../shared/define-page.ts'
import type { PetSearch } from './pet-list.ts'
import { PetsPage } from './pets-page.tsx'

export const petsPage = definePage({
  path: '/pets',
  label: 'Pets',
  icon: 'paw',
  letter: 'p',
  scopes: ['pets:read'],
  readSearch: searchReader<PetSearch>({
    status: isPetStatus,
    category: isIdText,
    words: isText,
    sort: (value) => value === '-id',
    at: isIdText,
  }),
  component: PetsPage,
})
