import { defineStorage } from '../../db/storage.ts'
import { openOrdersCheck, ordersCheck } from './checks/orders.ts'
import { stockCheck } from './checks/stock.ts'
import { placeOrder } from './create-order.ts'
import { expireDueOrders, expireOrders } from './expire-orders.ts'
import { moveOrder } from './move-order.ts'
import { inventoryExport, inventoryList, ordersExport, ordersList } from './queries.ts'
import { setQuantity } from './update-inventory.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'orders',
      key: ['id'],
      assignsIds: true,
      columns: {
        id: { type: 'int64' },
        pet_id: { type: 'int64' },
        quantity: { type: 'int64' },
        status: { type: 'text' },
        reference: { type: 'text', isNullable: true, codePointsMax: 200 },
        created_at: { type: 'int64' },
        ship_date: { type: 'int64', isNullable: true },
        expires_at: { type: 'int64', isNullable: true },
        due_at: { type: 'int64', isNullable: true, isGenerated: true },
      },
    },
  ],
  writes: [placeOrder, moveOrder, expireDueOrders, setQuantity],
  scans: [
    ...[ordersList.search, ordersList.count, ordersExport],
    ...[inventoryList.search, inventoryList.count, inventoryExport],
  ],
  checks: [stockCheck, openOrdersCheck, ordersCheck],
  jobs: [expireOrders],
})
