/** Where each operation is: its method, and its path relative to the base address. */
export const stockRoutes = {
  listInventory: { operationId: 'listInventory', method: 'GET', path: '/inventory' },
  updateInventory: { operationId: 'updateInventory', method: 'PATCH', path: '/inventory/{petId}' },
} as const
