import { storage } from '../../src/app/storage.ts'
import { type Environment, settings } from '../../src/config/settings.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { claimDatabase } from '../../src/features/environment/claim-database.ts'

/** Creates a store at an address of `PETSTORE_DATABASE`, as the first start of a service does, but without a key. */
export async function createEmptyStore(
  address: string,
  environment: Environment = 'production',
): Promise<void> {
  const database = settings.database.read(address)
  const db = await openDbBriefly(database, { storage })
  try {
    await claimDatabase(db, database.name, environment)
  } finally {
    await db.close()
  }
}
