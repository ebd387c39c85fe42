import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { isInMemory } from '../db/open.ts'

/**
 * A sentence for the operator where a production store is about to be created at a place that a setting names: a typo
 * there begins an empty store beside the right one. `undefined` where the place is the default.
 */
export function describeNewStore({ database, environment }: Config): string | undefined {
  const isDefault = database.engine === 'sqlite' && database.path === `data/${environment}.db`
  if (environment !== 'production' || isDefault || isInMemory(database)) return undefined
  const place = database.engine === 'sqlite' ? resolve(database.path) : database.name
  return `A new, empty production store is created: ${place}. If there should be data, stop, and correct PETSTORE_DATABASE.`
}
