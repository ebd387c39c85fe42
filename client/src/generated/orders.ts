// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { CreateOptions, ExportOptions, Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ExportOrdersQuery, ListOrdersQuery, NewOrder, Order } from './records.ts'

const listOrders: Operation = {
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
}

const createOrder: Operation = {
  id: 'createOrder',
  method: 'POST',
  path: '/store/orders',
  isKeyed: true,
}

const exportOrders: Operation = {
  id: 'exportOrders',
  method: 'GET',
  path: '/store/orders/export',
  isFile: true,
}

const getOrder: Operation = {
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
}

const cancelOrder: Operation = {
  id: 'cancelOrder',
  method: 'DELETE',
  path: '/store/orders/{orderId}',
}

const shipOrder: Operation = {
  id: 'shipOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/ship',
  isKeyed: true,
}

const deliverOrder: Operation = {
  id: 'deliverOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/deliver',
  isKeyed: true,
}

export class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List orders.
   *
   * Returns a page of orders in ascending order of ids.
   */
  list(query: ListOrdersQuery = {}, options: ListOptions = {}): List<Order> {
    return new List(this.#transport, listOrders, { query }, options)
  }

  /**
   * Place an order.
   *
   * Places an order for a pet that is `available`, and holds the quantity ordered. A pet is never promised twice.
   */
  create(body: NewOrder, options: CreateOptions = {}): Call<Order> {
    return this.#transport.call(createOrder, { body }, options)
  }

  /**
   * Export all orders.
   *
   * Sends all orders that match, of one moment, as CSV or, where `Accept` names it, as NDJSON. In CSV, a text that a spreadsheet would run (after any apostrophes it begins with `=`, `+`, `-`, `@`, one of these in full width, a tab or a carriage return) has one more apostrophe before it, and so has each such part behind a comma, a semicolon, `|`, a quote, a tab or a line break; whoever reads the file removes one from each.
   */
  export(query: ExportOrdersQuery = {}, options: ExportOptions = {}): Call<Response> {
    return this.#transport.call(exportOrders, { query }, options)
  }

  /**
   * Get an order.
   *
   * Returns one order, whatever its status. Orders are never deleted.
   */
  get(orderId: Int64, options: RequestOptions = {}): Call<Order> {
    return this.#transport.call(getOrder, { ids: [orderId] }, options)
  }

  /**
   * Cancel an order.
   *
   * Moves an order from `pending` to `cancelled` and releases its stock. The record is kept.
   */
  cancel(orderId: Int64, options: RequestOptions = {}): Call<void> {
    return this.#transport.call(cancelOrder, { ids: [orderId] }, options)
  }

  /**
   * Ship an order.
   *
   * Moves an order from `pending` to `shipped`. Its stock stays held.
   */
  ship(orderId: Int64, options: CreateOptions = {}): Call<Order> {
    return this.#transport.call(shipOrder, { ids: [orderId] }, options)
  }

  /**
   * Deliver an order.
   *
   * Moves an order from `shipped` to `delivered`. Its stock leaves the inventory.
   */
  deliver(orderId: Int64, options: CreateOptions = {}): Call<Order> {
    return this.#transport.call(deliverOrder, { ids: [orderId] }, options)
  }
}
