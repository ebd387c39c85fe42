import { implement } from '../../http/implement.ts'
import { cancelOrder } from './cancel-order.ts'
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
  implement(getOrderOperation, getOrder),
  implement(shipOrderOperation, shipOrder),
  implement(deliverOrderOperation, deliverOrder),
  implement(cancelOrderOperation, cancelOrder),
  implement(listInventoryOperation, listInventory),
  implement(getInventoryOperation, getInventory),
  implement(updateInventoryOperation, updateInventory),
]
