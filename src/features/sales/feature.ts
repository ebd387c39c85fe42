import { implement } from '../../http/implement.ts'
import { cancelOrder } from './cancel-order.ts'
import { exportInventoryOperation, exportOrdersOperation } from './contract/exports.ts'
import {
  getInventoryOperation,
  listInventoryOperation,
  updateInventoryOperation,
} from './contract/inventory.ts'
import {
  cancelOrderOperation,
  createOrderOperation,
  deliverOrderOperation,
  getOrderOperation,
  listOrdersOperation,
  shipOrderOperation,
} from './contract/orders.ts'
import { createOrder } from './create-order.ts'
import { deliverOrder } from './deliver-order.ts'
import { exportInventory } from './export-inventory.ts'
import { exportOrders } from './export-orders.ts'
import { getInventory } from './get-inventory.ts'
import { getOrder } from './get-order.ts'
import { listInventory } from './list-inventory.ts'
import { listOrders } from './list-orders.ts'
import { shipOrder } from './ship-order.ts'
import { updateInventory } from './update-inventory.ts'

/** The store (interface 1.0.0, section 4.4): orders from placing to delivery, and the stock of each pet. */
export const operations = [
  implement(listOrdersOperation, listOrders),
  implement(createOrderOperation, createOrder),
  implement(exportOrdersOperation, exportOrders),
  implement(getOrderOperation, getOrder),
  implement(shipOrderOperation, shipOrder),
  implement(deliverOrderOperation, deliverOrder),
  implement(cancelOrderOperation, cancelOrder),
  implement(listInventoryOperation, listInventory),
  implement(exportInventoryOperation, exportInventory),
  implement(getInventoryOperation, getInventory),
  implement(updateInventoryOperation, updateInventory),
]
