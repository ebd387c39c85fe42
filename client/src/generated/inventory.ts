// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { ChangeOptions, ExportOptions, Int64, ListOptions, Operation, ReadOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ExportInventoryQuery, InventoryChange, InventoryItem, ListInventoryQuery } from './records.ts'

const listInventory: Operation = {
  id: 'listInventory',
  method: 'GET',
  path: '/inventory',
}

const exportInventory: Operation = {
  id: 'exportInventory',
  method: 'GET',
  path: '/inventory/export',
  isFile: true,
}

const getInventory: Operation = {
  id: 'getInventory',
  method: 'GET',
  path: '/inventory/{petId}',
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
    return new List(this.#transport, listInventory, { query }, options)
  }

  /**
   * Export the inventory.
   *
   * Sends all records of the inventory that match, of one moment, as CSV or, where `Accept` names it, as NDJSON. In CSV, a text that a spreadsheet would run (after any apostrophes it begins with `=`, `+`, `-`, `@`, one of these in full width, a tab or a carriage return) has one more apostrophe before it, and so has each such part behind a comma, a semicolon, `|`, a quote, a tab or a line break; whoever reads the file removes one from each.
   */
  export(query: ExportInventoryQuery = {}, options: ExportOptions = {}): Call<Response> {
    return this.#transport.call(exportInventory, { query }, options)
  }

  /**
   * Get an animal's stock.
   *
   * Returns how many of a pet are in stock. A pet without a status is not in the inventory.
   */
  get(petId: Int64, options: ReadOptions & { ifNoneMatch: string }): Call<InventoryItem | undefined>
  get(petId: Int64, options?: ReadOptions): Call<InventoryItem>
  get(petId: Int64, options: ReadOptions = {}): Call<InventoryItem> {
    return this.#transport.call(getInventory, { ids: [petId] }, options)
  }

  /**
   * Set an animal's stock.
   *
   * Sets how many of a pet are in stock. A quantity below what open orders hold is refused.
   */
  update(petId: Int64, body: InventoryChange, options: ChangeOptions = {}): Call<InventoryItem> {
    return this.#transport.call(updateInventory, { ids: [petId], body }, options)
  }
}
