// Made from the contract by tools/generate.ts.

import { PetsDetails } from './pets-details.ts'
import { PetsPhoto } from './pets-photo.ts'
import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { ImportOptions } from '../import.ts'
import { importInParts } from '../import.ts'
import type { ChangeOptions, CreateOptions, ExportOptions, FileBody, Int64, ListOptions, Operation, ReadOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ExportPetsQuery, ImportPetsQuery, ImportReport, ListPetsQuery, NewPet, Pet, PetBatch, PetBatchResults, PetChange } from './records.ts'

const listPets: Operation = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
}

const createPet: Operation = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  isKeyed: true,
}

const batchPets: Operation = {
  id: 'batchPets',
  method: 'POST',
  path: '/pets/batch',
  isKeyed: true,
}

const exportPets: Operation = {
  id: 'exportPets',
  method: 'GET',
  path: '/pets/export',
  isFile: true,
}

const getPet: Operation = {
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  advice: 'Use GET /pets with status for all pets with a status, or with id for this one.',
}

const updatePet: Operation = {
  id: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
}

const deletePet: Operation = {
  id: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
}

const importPets: Operation = {
  id: 'importPets',
  method: 'POST',
  path: '/pets/import',
  isKeyed: true,
}

export class Pets {
  readonly details: PetsDetails
  readonly photo: PetsPhoto
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
    this.details = new PetsDetails(transport)
    this.photo = new PetsPhoto(transport)
  }

  /**
   * List all animals.
   *
   * Returns a page of pets in ascending order of ids, or in that of `sort`.
   */
  list(query: ListPetsQuery = {}, options: ListOptions = {}): List<Pet> {
    return new List(this.#transport, listPets, { query }, options)
  }

  /**
   * Add an animal.
   *
   * Adds a pet to the catalogue. Its category is not looked up: create it first, with `createCategory`. The response is sent once the pet is durable.
   */
  create(body: NewPet, options: CreateOptions = {}): Call<Pet> {
    return this.#transport.call(createPet, { body }, options)
  }

  /**
   * Change many animals.
   *
   * Changes and deletes up to 1,000 pets in one transaction. Each change follows the rules of updatePet or deletePet, and has its own result: those that are refused do not affect the others. A body that is invalid changes nothing.
   */
  batch(body: PetBatch, options: CreateOptions = {}): Call<PetBatchResults> {
    return this.#transport.call(batchPets, { body }, options)
  }

  /**
   * Export all animals.
   *
   * Sends all pets that match, of one moment, as CSV or, where `Accept` names it, as NDJSON. In CSV, a text that a spreadsheet would run (after any apostrophes it begins with `=`, `+`, `-`, `@`, one of these in full width, a tab or a carriage return) has one more apostrophe before it, and so has each such part behind a comma, a semicolon, `|`, a quote, a tab or a line break; whoever reads the file removes one from each.
   */
  export(query: ExportPetsQuery = {}, options: ExportOptions = {}): Call<Response> {
    return this.#transport.call(exportPets, { query }, options)
  }

  /**
   * Get an animal.
   *
   * Returns one pet. Deprecated: it is removed on 5 December 2030. Use `GET /pets` with the `status` filter, or with `id` for one pet.
   * @deprecated It will be removed on 2030-12-05. Use GET /pets with status for all pets with a status, or with id for this one.
   */
  get(petId: Int64, options: ReadOptions & { ifNoneMatch: string }): Call<Pet | undefined>
  get(petId: Int64, options?: ReadOptions): Call<Pet>
  get(petId: Int64, options: ReadOptions = {}): Call<Pet> {
    return this.#transport.call(getPet, { ids: [petId] }, options)
  }

  /**
   * Update an animal.
   *
   * Changes the fields that are sent. `status` can change from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, from `sold` to `available` (a return), and from none to any value. It cannot change while an open order holds the pet.
   */
  update(petId: Int64, body: PetChange, options: ChangeOptions = {}): Call<Pet> {
    return this.#transport.call(updatePet, { ids: [petId], body }, options)
  }

  /**
   * Delete an animal.
   *
   * Removes a pet from the catalogue. A pet that an open order holds cannot be deleted. Its id is never reused.
   */
  delete(petId: Int64, options: ChangeOptions = {}): Call<void> {
    return this.#transport.call(deletePet, { ids: [petId] }, options)
  }

  /**
   * Import a spreadsheet.
   *
   * Takes up to 1,000 rows, of which up to 200 change pets, in one transaction: CSV (RFC 4180, separated by commas, semicolons or tabs), an array of JSON, or a JSON object on each line; without a `Content-Type` the first character decides. A row with an `id` changes that pet as `updatePet` does, one without adds a pet as `createPet` does. A pet has its category by `categoryId`, or by name in a column `category`. The columns `description`, `price` (`249.00`, or `249.00 EUR`), `currency`, `bornOn`, `sex` and `tags` (separated by `|`) change its details. Rows that are wrong refuse the file with `rows_refused`, unless `onError=skip`. A client that prefers `text/csv` gets the rows that were not stored, as they came, with a column `error` in front; send them again once they are right.
   */
  import(file: FileBody, query: ImportPetsQuery = {}, options: ImportOptions = {}): Call<ImportReport> {
    return importInParts(this.#transport, importPets, { file, query }, options)
  }
}
