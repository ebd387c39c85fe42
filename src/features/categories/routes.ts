/** Where each operation is: its method, and its path relative to the base address. */
export const categoryRoutes = {
  listCategories: { operationId: 'listCategories', method: 'GET', path: '/categories' },
  getCategory: { operationId: 'getCategory', method: 'GET', path: '/categories/{categoryId}' },
  createCategory: { operationId: 'createCategory', method: 'POST', path: '/categories' },
  updateCategory: {
    operationId: 'updateCategory',
    method: 'PATCH',
    path: '/categories/{categoryId}',
  },
  deleteCategory: {
    operationId: 'deleteCategory',
    method: 'DELETE',
    path: '/categories/{categoryId}',
  },
} as const
