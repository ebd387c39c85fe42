import { exportOf } from '../../../contract/export-operation.ts'
import { listInventoryOperation } from './inventory.ts'
import { listOrdersOperation } from './orders.ts'

export const exportOrdersOperation = exportOf(listOrdersOperation, {
  operationId: 'exportOrders',
  summary: 'Export all orders',
  noun: 'orders',
})

export const exportInventoryOperation = exportOf(listInventoryOperation, {
  operationId: 'exportInventory',
  summary: 'Export the inventory',
  noun: 'pets that have a status',
})
