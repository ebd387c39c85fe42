import { defineStorage } from '../../db/storage.ts'
import { openOrdersCheck, ordersCheck } from './checks/orders.ts'
import { stockCheck } from './checks/stock.ts'
import { placeOrder } from './create-order.ts'
import { expireDueOrders, expireOrders } from './expire-orders.ts'
import { moveOrder } from './move-order.ts'
import { inventoryExport, inventoryList, ordersExport, ordersList, orderTable } from './queries.ts'
import { updateInventory } from './update-inventory.ts'

export const storage = defineStorage({
  tables: [{ name: 'orders', ...orderTable.declared }],
  writes: [placeOrder, moveOrder, expireDueOrders, updateInventory],
  scans: [
    ordersList.search,
    ordersList.count,
    ordersExport,
    inventoryList.search,
    inventoryList.count,
    inventoryExport,
  ],
  checks: [stockCheck, openOrdersCheck, ordersCheck],
  jobs: [expireOrders],
})
