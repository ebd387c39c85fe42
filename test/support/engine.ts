import { after } from 'node:test'
import { usePostgres } from './postgres.ts'

/** The engine that this run of the tests is about: `TEST_ENGINE=postgres`, or SQLite. */
export const isOnPostgres = process.env.TEST_ENGINE === 'postgres'

export type TestDatabase = { address: string; giveBack(): Promise<void> }

const server = () => usePostgres(process.env.TEST_POSTGRES ?? '')
const empty: string[] = []
const made: string[] = []
if (isOnPostgres) after(() => Promise.all(made.map((address) => server().dropDatabase(address))))

/** An empty database for one test: in memory, or on the server that `TEST_POSTGRES` names. */
export async function freshDatabase(): Promise<TestDatabase> {
  if (!isOnPostgres) return { address: 'sqlite::memory:', giveBack: async () => undefined }
  const address = empty.pop() ?? (await server().createDatabase())
  if (!made.includes(address)) made.push(address)
  return {
    address,
    // Emptied rather than dropped: a new one takes ten times as long.
    async giveBack() {
      await server().query(
        'truncate pets, keys, orders restart identity; update keys_revision set revision = 0',
        new URL(address).pathname.slice(1),
      )
      empty.push(address)
    },
  }
}
