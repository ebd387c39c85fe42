import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  contentsOf,
  type Engine,
  listStores,
  type StoreListing,
} from '../../tools/upgrade-stores/stores.ts'
import { aDirectory } from '../processes/command.ts'
import { usePostgres } from '../processes/postgres.ts'

/** The engine of this test run. */
export const engineOfTests: Engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** The store that a version has left on an engine. */
export function storeOf(release: string, engine = engineOfTests): StoreListing {
  const found = listStores(engine).find((listing) => listing.release === release)
  if (!found) throw new Error(`There is no store of ${release} on ${engine}.`)
  return found
}

/** Puts a store, or none, where it can be served; returns the value of PETSTORE_DATABASE. It is removed after the test. */
export async function placeStore(t: TestContext, listing?: StoreListing): Promise<string> {
  if (engineOfTests === 'sqlite') {
    const path = join(aDirectory(t), 'petstore.db')
    if (listing) writeFileSync(path, contentsOf(listing))
    return `sqlite:${path}`
  }
  const server = usePostgres(process.env.TEST_POSTGRES ?? '')
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  if (listing) await server.query(String(contentsOf(listing)), new URL(address).pathname.slice(1))
  return address
}
