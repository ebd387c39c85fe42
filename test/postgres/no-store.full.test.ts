import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'

const server = await anyPostgres()
after(() => server.stop())

it('78 configuration: keys create, list and revoke create no tables', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))

  for (const args of [['create', '--name', 'a'], ['list'], ['revoke', '1']]) {
    const env = { PETSTORE_DATABASE: address }
    const { code, stdout, stderr } = await petstoreInThread(['keys', ...args], { env })

    assert.deepEqual([code, stdout], [78, ''])
    assert.match(
      stderr,
      /^There is no store at postgres:\S+\. Nothing was changed\. .*petstore serve makes a store\.\n$/,
    )
  }
  const session = await openSession(t, address)
  const { rows } = await session.query("select from pg_tables where schemaname = 'public'")
  assert.equal(rows.length, 0)
})
