/** Where each operation is: its method, and its path relative to the base address. */
export const orderRoutes = {
  listOrders: { operationId: 'listOrders', method: 'GET', path: '/store/orders' },
  createOrder: { operationId: 'createOrder', method: 'POST', path: '/store/orders' },
  getOrder: { operationId: 'getOrder', method: 'GET', path: '/store/orders/{orderId}' },
  shipOrder: { operationId: 'shipOrder', method: 'POST', path: '/store/orders/{orderId}/ship' },
  deliverOrder: {
    operationId: 'deliverOrder',
    method: 'POST',
    path: '/store/orders/{orderId}/deliver',
  },
  cancelOrder: { operationId: 'cancelOrder', method: 'DELETE', path: '/store/orders/{orderId}' },
} as const
