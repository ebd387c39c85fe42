import { definePage } from '../shared/define-page.ts'
import { readPetSearch } from './pet-search.ts'
import { PetsPage } from './pets-page.tsx'

export const petsPage = definePage({
  path: '/pets',
  label: 'Pets',
  icon: 'paw',
  letter: 'p',
  scopes: ['pets:read'],
  readSearch: readPetSearch,
  component: PetsPage,
})
