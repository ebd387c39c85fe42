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
import { isFull } from './extent.ts'

/** The engine of this test run. */
const engineOfTests: Engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** All stores of this engine; `npm test` takes the oldest that was used, and the last release. */
export function storesOfThisRun(): StoreListing[] {
  const stores = listStores(engineOfTests)
  if (isFull) return stores
  const oldest = stores.find(({ keys }) => Object.keys(keys).length > 0)
  const released = stores.findLast(({ release }) => release !== undefined)
  return [...new Set([oldest, released])].filter((store) => store !== undefined)
}

/** Puts a store where it can be served; returns the value of PETSTORE_DATABASE. It is removed after the test. */
export async function placeStore(t: TestContext, listing: StoreListing): Promise<string> {
  if (listing.engine === 'sqlite') {
    const path = join(aDirectory(t), 'petstore.db')
    writeFileSync(path, contentsOf(listing))
    return `sqlite:${path}`
  }
  const server = usePostgres(process.env.TEST_POSTGRES ?? '')
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  await server.query(String(contentsOf(listing)), new URL(address).pathname.slice(1))
  return address
}
