import { implement } from '../../http/implement.ts'
import { exportBy, getBy, listBy, writeBy } from '../verbs.ts'
import * as inventory from './contract/inventory.ts'
import * as orders from './contract/orders.ts'
import { createOrder } from './create-order.ts'
import { cancelOrder, deliverOrder, shipOrder } from './move-order.ts'
import {
  inventoryExport,
  inventoryList,
  ordersExport,
  ordersList,
  selectInventoryItem,
  selectOrder,
} from './queries.ts'
import { notInInventory, updateInventory } from './update-inventory.ts'

const getInventory = getBy(selectInventoryItem, 'pet', (_, petId) => notInInventory(petId))

/** The store (interface 1.0.0, section 4.4): orders from placing to delivery, and the stock of each pet. */
export const operations = [
  implement(orders.listOrdersOperation, listBy(ordersList)),
  implement(orders.createOrderOperation, createOrder),
  implement(orders.exportOrdersOperation, exportBy('orders', ordersExport)),
  implement(orders.getOrderOperation, getBy(selectOrder, 'order')),
  implement(orders.shipOrderOperation, shipOrder),
  implement(orders.deliverOrderOperation, deliverOrder),
  implement(orders.cancelOrderOperation, cancelOrder),
  implement(inventory.listInventoryOperation, listBy(inventoryList)),
  implement(inventory.exportInventoryOperation, exportBy('inventory', inventoryExport)),
  implement(inventory.getInventoryOperation, getInventory),
  implement(inventory.updateInventoryOperation, writeBy(updateInventory)),
]
