// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { ChangeOptions, Int64, ListOptions, Operation, ReadOptions, ReplaceOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ListPhotosQuery, Photo } from './records.ts'

const listPhotos: Operation = {
  id: 'listPhotos',
  method: 'GET',
  path: '/photos',
}

const getPhoto: Operation = {
  id: 'getPhoto',
  method: 'GET',
  path: '/pets/{petId}/photo',
  isBlob: true,
  accept: 'image/*',
}

const replacePhoto: Operation = {
  id: 'replacePhoto',
  method: 'PUT',
  path: '/pets/{petId}/photo',
}

const deletePhoto: Operation = {
  id: 'deletePhoto',
  method: 'DELETE',
  path: '/pets/{petId}/photo',
}

export class PetsPhoto {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List the photos of animals.
   *
   * Returns a page of what is known of photos, in ascending order of pet ids.
   */
  list(query: ListPhotosQuery = {}, options: ListOptions = {}): List<Photo> {
    return new List(this.#transport, listPhotos, { query }, options)
  }

  /**
   * Get an animal's photo.
   *
   * Sends the photo of a pet as it is stored, whole or in a range. It is to be shown, never run: browsers get a policy that forbids scripts.
   */
  get(petId: Int64, options: ReadOptions & { ifNoneMatch: string }): Call<Blob | undefined>
  get(petId: Int64, options?: ReadOptions): Call<Blob>
  get(petId: Int64, options: ReadOptions = {}): Call<Blob> {
    return this.#transport.call(getPhoto, { ids: [petId] }, options)
  }

  /**
   * Store an animal's photo.
   *
   * Stores a photo of a pet in place of the one that there is. What the file is, its first bytes decide: JPEG, PNG or WebP of at most 4 MiB and 50,000,000 points. It is not decoded, but stored without EXIF data (the first orientation is kept), XMP, comments and what follows its end; colour profiles stay. `digest` is that of what is stored: it differs from that of the file that was sent if anything was removed. Then the response has no `ETag` (RFC 9110, section 9.3.4); the entity tag of the photo is always its `digest` in double quotes.
   */
  put(petId: Int64, file: Blob, options: ReplaceOptions = {}): Call<Photo> {
    return this.#transport.call(replacePhoto, { ids: [petId], file }, options)
  }

  /**
   * Delete an animal's photo.
   *
   * Removes the photo of a pet. The pet stays.
   */
  delete(petId: Int64, options: ChangeOptions = {}): Call<void> {
    return this.#transport.call(deletePhoto, { ids: [petId] }, options)
  }
}
