/** Where each operation is: its method, and its path relative to the base address. */
export const stockRoutes = {
  listInventory: { operationId: 'listInventory', method: 'GET', path: '/inventory' },
  getInventory: { operationId: 'getInventory', method: 'GET', path: '/inventory/{petId}' },
  updateInventory: { operationId: 'updateInventory', method: 'PATCH', path: '/inventory/{petId}' },
} as const
