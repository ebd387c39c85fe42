import type pg from 'pg'
import { explainCopying } from './explain-copying.ts'
import { enforceSettings, findSettingIssues } from './migrate.ts'
import { connectToPrimary } from './primary.ts'
import { readAddress } from './read-address.ts'
import { holdStore } from './store-lock.ts'

export type Database = { text: string; name: string }

/** Connects to a database without timeouts. The client stays open unless `begin` throws. Throws OpenError. */
export async function openClient<T>(
  { text, name }: Database,
  begin: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { client } = await connectToPrimary(readAddress(text))
  try {
    return await begin(client)
  } catch (error) {
    await client.end()
    throw explainCopying(name, error)
  }
}

/**
 * As `openClient`, while no service and no other command uses the store. Throws `configuration` for a server that would lose
 * what is written.
 */
export function openAlone<T>(
  database: Database,
  begin: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return openClient(database, async (client) => {
    enforceSettings(await findSettingIssues(client), database.name, () => undefined)
    await holdStore(client, database.name)
    return begin(client)
  })
}
