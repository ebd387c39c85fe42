import type { Environment } from '../../config/settings.ts'
import type { Db } from '../../db/seam.ts'
import { ExitError } from '../../exit.ts'
import { insertEnvironment, selectEnvironment } from './queries.ts'

/** Makes sure that a database holds this environment's data and no other's. Throws `configuration`. */
export async function claimDatabase(db: Db, name: string, environment: Environment): Promise<void> {
  // What is claimed already needs no write, for which a full disk would have no room.
  const owner = await db.read(selectEnvironment, undefined)
  requireOwner(owner ?? (await db.write(insertEnvironment, environment)), name, environment)
}

/** Makes sure that a database holds no other environment's data, and changes nothing. Throws `configuration`. */
export async function refuseForeign(db: Db, name: string, environment: Environment): Promise<void> {
  const owner = await db.read(selectEnvironment, undefined)
  if (owner !== undefined) requireOwner(owner, name, environment)
}

function requireOwner(owner: string, name: string, environment: Environment) {
  if (owner === environment) return
  throw new ExitError(
    'configuration',
    `${name} holds the data of ${owner}, and this is ${environment}. Each environment has a database of its own.`,
  )
}
