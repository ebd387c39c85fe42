import { implement } from '../../http/implement.ts'
import { cancelOrder } from './cancel-order.ts'
import {
  cancelOrderOperation,
  createOrderOperation,
  deliverOrderOperation,
  getOrderOperation,
  listOrdersOperation,
  shipOrderOperation,
} from './contract.ts'
import { createOrder } from './create-order.ts'
import { deliverOrder } from './deliver-order.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { shipOrder } from './ship-order.ts'

/** The store (interface 1.0.0, section 4.4): from an order to its delivery. */
export const operations = [
  implement(listOrdersOperation, listOrders),
  implement(createOrderOperation, (context, { body }) => createOrder(context, body)),
  implement(getOrderOperation, (context, { id }) => getOrder(context, id)),
  implement(shipOrderOperation, (context, { id }) => shipOrder(context, id)),
  implement(deliverOrderOperation, (context, { id }) => deliverOrder(context, id)),
  implement(cancelOrderOperation, (context, { id }) => cancelOrder(context, id)),
]
