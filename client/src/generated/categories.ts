// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { ChangeOptions, CreateOptions, Int64, ListOptions, Operation, ReadOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { Category, CategoryChange, ListCategoriesQuery, NewCategory } from './records.ts'

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

const updateCategory: Operation = {
  id: 'updateCategory',
  method: 'PATCH',
  path: '/categories/{categoryId}',
}

const deleteCategory: Operation = {
  id: 'deleteCategory',
  method: 'DELETE',
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
   * Returns a page of categories in ascending order of ids, or in that of `sort`.
   */
  list(query: ListCategoriesQuery = {}, options: ListOptions = {}): List<Category> {
    return new List(this.#transport, listCategories, { query }, options)
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
  get(categoryId: Int64, options: ReadOptions & { ifNoneMatch: string }): Call<Category | undefined>
  get(categoryId: Int64, options?: ReadOptions): Call<Category>
  get(categoryId: Int64, options: ReadOptions = {}): Call<Category> {
    return this.#transport.call(getCategory, { ids: [categoryId] }, options)
  }

  /**
   * Update a category.
   *
   * Changes the fields that are sent. The name must not look like that of another category.
   */
  update(categoryId: Int64, body: CategoryChange, options: ChangeOptions = {}): Call<Category> {
    return this.#transport.call(updateCategory, { ids: [categoryId], body }, options)
  }

  /**
   * Delete a category.
   *
   * Removes a category. Pets keep its id as their `categoryId`. The id is never reused; the name can be.
   */
  delete(categoryId: Int64, options: ChangeOptions = {}): Call<void> {
    return this.#transport.call(deleteCategory, { ids: [categoryId] }, options)
  }
}
