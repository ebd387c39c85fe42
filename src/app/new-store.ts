import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { isInMemory } from '../db/open.ts'

/**
 * A sentence for the operator where a production store is about to be created at a place that a setting names: a typo
 * there begins an empty store beside the right one. `undefined` where the place is the default.
 */
export function describeNewStore(
  { database, environment }: Config,
  others: readonly string[],
): string | undefined {
  const isDefault = database.engine === 'sqlite' && database.path === `data/${environment}.db`
  if (environment !== 'production' || isDefault || isInMemory(database)) return undefined
  const place = database.engine === 'sqlite' ? resolve(database.path) : database.name
  const found = others.length === 0 ? '' : ` Beside it: ${others.join(', ')}.`
  const meant = others.length === 0 ? 'there should be data' : 'one of these was meant'
  return `A new, empty production store is created: ${place}.${found} If ${meant}, stop, and correct PETSTORE_DATABASE.`
}
