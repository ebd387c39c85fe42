// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { ChangeOptions, Int64, ListOptions, Operation, ReadOptions, ReplaceOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ListDetailsQuery, NewPetDetails, PetDetails } from './records.ts'

const listDetails: Operation = {
  id: 'listDetails',
  method: 'GET',
  path: '/details',
}

const getDetails: Operation = {
  id: 'getDetails',
  method: 'GET',
  path: '/pets/{petId}/details',
}

const replaceDetails: Operation = {
  id: 'replaceDetails',
  method: 'PUT',
  path: '/pets/{petId}/details',
}

const deleteDetails: Operation = {
  id: 'deleteDetails',
  method: 'DELETE',
  path: '/pets/{petId}/details',
}

export class PetsDetails {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List the details of animals.
   *
   * Returns a page of the details of pets in ascending order of pet ids.
   */
  list(query: ListDetailsQuery = {}, options: ListOptions = {}): List<PetDetails> {
    return new List(this.#transport, listDetails, { query }, options)
  }

  /**
   * Get an animal's details.
   *
   * Returns what the store tells about a pet.
   */
  get(petId: Int64, options: ReadOptions & { ifNoneMatch: string }): Call<PetDetails | undefined>
  get(petId: Int64, options?: ReadOptions): Call<PetDetails>
  get(petId: Int64, options: ReadOptions = {}): Call<PetDetails> {
    return this.#transport.call(getDetails, { ids: [petId] }, options)
  }

  /**
   * Store an animal's details.
   *
   * Stores what the store tells about a pet in place of what it has told so far: members that are left out are gone. Orders keep the price of their moment.
   */
  put(petId: Int64, body: NewPetDetails, options: ReplaceOptions = {}): Call<PetDetails> {
    return this.#transport.call(replaceDetails, { ids: [petId], body }, options)
  }

  /**
   * Delete an animal's details.
   *
   * Removes all details of a pet. The pet stays.
   */
  delete(petId: Int64, options: ChangeOptions = {}): Call<void> {
    return this.#transport.call(deleteDetails, { ids: [petId] }, options)
  }
}
