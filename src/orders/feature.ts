import { bind } from '../http/operation.ts'
import { listOrdersOperation } from './contract.ts'
import { listOrders } from './list-orders.ts'

/** The store (interface 1.0.0, section 4.4). */
export const ordersFeature = [bind(listOrdersOperation, listOrders)]
