// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { InventoryChange, InventoryItem, ListInventoryQuery } from './records.ts'

const listInventory: Operation = {
  id: 'listInventory',
  method: 'GET',
  path: '/inventory',
}

const updateInventory: Operation = {
  id: 'updateInventory',
  method: 'PATCH',
  path: '/inventory/{petId}',
}

export class Inventory {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List the inventory.
   *
   * Returns a page of the stock of pets that have a status, in ascending order of pet ids.
   */
  list(query: ListInventoryQuery = {}, options: ListOptions = {}): List<InventoryItem> {
    return new List(this.#transport, listInventory, query, options)
  }

  /**
   * Set a pet's stock.
   *
   * Sets how many of a pet are in stock. A quantity below what open orders hold is refused.
   */
  update(petId: Int64, body: InventoryChange, options: RequestOptions = {}): Call<InventoryItem> {
    return this.#transport.call(updateInventory, { id: petId, body }, options)
  }
}
