// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { CreateOptions, Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { Category, ListCategoriesQuery, NewCategory } from './records.ts'

const listCategories: Operation = {
  id: 'listCategories',
  method: 'GET',
  path: '/categories',
}

const createCategory: Operation = {
  id: 'createCategory',
  method: 'POST',
  path: '/categories',
  isKeyed: true,
}

const getCategory: Operation = {
  id: 'getCategory',
  method: 'GET',
  path: '/categories/{categoryId}',
}

export class Categories {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List all categories.
   *
   * Returns a page of categories in ascending order of ids.
   */
  list(query: ListCategoriesQuery = {}, options: ListOptions = {}): List<Category> {
    return new List(this.#transport, listCategories, query, options)
  }

  /**
   * Add a category.
   *
   * Adds a category. The response is sent once the category is durable.
   */
  create(body: NewCategory, options: CreateOptions = {}): Call<Category> {
    return this.#transport.call(createCategory, { body }, options)
  }

  /**
   * Get a category.
   *
   * Returns one category.
   */
  get(categoryId: Int64, options: RequestOptions = {}): Call<Category> {
    return this.#transport.call(getCategory, { id: categoryId }, options)
  }
}
