// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { FollowOptions } from '../follow.ts'
import type { Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { Event, ListEventsQuery } from './records.ts'

const listEvents: Operation = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
}

const getEvent: Operation = {
  id: 'getEvent',
  method: 'GET',
  path: '/events/{eventId}',
}

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List events.
   *
   * Returns a page of the log of changes, from the oldest event on. A key sees the events of records that it may read. Where few events match, a page may have fewer than `limit`, or none, and still a `next` link. A position whose events are deleted is a 410. As a stream it refuses parameters that it does not take, such as `cursor`.
   */
  list(query: ListEventsQuery = {}, options: ListOptions = {}): List<Event> {
    return new List(this.#transport, listEvents, { query }, options)
  }

  /**
   * Follow the list as it grows.
   *
   * Yields each record once, in order of ids, and connects again by itself. Throws `PetstoreEventsExpiredError` where some were missed.
   */
  follow(options: Pick<ListEventsQuery, 'type' | 'petId' | 'orderId'> & FollowOptions = {}): AsyncGenerator<Event, never, undefined> {
    return this.#transport.follow(listEvents, options)
  }

  /**
   * Get an event.
   *
   * Returns one event, if the key may read its record.
   */
  get(eventId: Int64, options: RequestOptions = {}): Call<Event> {
    return this.#transport.call(getEvent, { ids: [eventId] }, options)
  }
}
