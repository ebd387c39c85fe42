import type pg from 'pg'
import { explainCopying } from './explain-copying.ts'
import { connectToPrimary } from './primary.ts'
import { readAddress } from './read-address.ts'

export type Database = { text: string; name: string }

/** Connects to a database without timeouts. `begin` keeps the client; where it throws, that ends. Throws OpenError. */
export async function openClient<T>(
  { text, name }: Database,
  begin: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(readAddress(text))
  try {
    return await begin(client)
  } catch (error) {
    await client.end()
    throw explainCopying(name, error)
  }
}
