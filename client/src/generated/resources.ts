// Made from the contract by tools/generate.ts.

import type { Transport } from '../transport.ts'
import { Pets } from './pets.ts'
import { Categories } from './categories.ts'
import { Orders } from './orders.ts'
import { Inventory } from './inventory.ts'
import { Keys } from './keys.ts'
import { Webhooks } from './webhooks.ts'
import { Events } from './events.ts'
import { Service } from './service.ts'

export class Resources {
  readonly pets: Pets
  readonly categories: Categories
  readonly orders: Orders
  readonly inventory: Inventory
  readonly keys: Keys
  readonly webhooks: Webhooks
  readonly events: Events
  readonly service: Service

  constructor(transport: Transport) {
    this.pets = new Pets(transport)
    this.categories = new Categories(transport)
    this.orders = new Orders(transport)
    this.inventory = new Inventory(transport)
    this.keys = new Keys(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.service = new Service(transport)
  }
}
