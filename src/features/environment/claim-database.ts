import type { Environment } from '../../config/settings.ts'
import type { Db } from '../../db/db.ts'
import { OpenError } from '../../db/errors.ts'
import { insertEnvironment, selectEnvironment } from './queries.ts'

/**
 * Requires that a database belongs to this environment, and claims it where it belongs to none. Throws `configuration`.
 */
export async function claimDatabase(db: Db, name: string, environment: Environment): Promise<void> {
  // A claimed database needs no write, which would fail on a full disk.
  const owner = await db.read(selectEnvironment, undefined)
  requireOwner(owner ?? (await db.write(insertEnvironment, environment)), name, environment)
}

/** Requires that a database belongs to no other environment; changes nothing. Throws `configuration`. */
export async function refuseForeign(db: Db, name: string, environment: Environment): Promise<void> {
  const owner = await db.read(selectEnvironment, undefined)
  if (owner !== undefined) requireOwner(owner, name, environment)
}

/** Throws `configuration` where a database belongs to another environment. */
export function requireOwner(owner: string, name: string, environment: Environment): void {
  if (owner === environment) return
  throw new OpenError(
    'configuration',
    `${name} holds the data of ${owner}, and this is ${environment}. Each environment has a database of its own.`,
  )
}
