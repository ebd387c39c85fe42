/** Where each operation is: its method, and its path relative to the base address. */
export const petRoutes = {
  listPets: { operationId: 'listPets', method: 'GET', path: '/pets' },
  createPet: { operationId: 'createPet', method: 'POST', path: '/pets' },
  getPet: { operationId: 'getPet', method: 'GET', path: '/pets/{petId}' },
  updatePet: { operationId: 'updatePet', method: 'PATCH', path: '/pets/{petId}' },
  deletePet: { operationId: 'deletePet', method: 'DELETE', path: '/pets/{petId}' },
} as const
