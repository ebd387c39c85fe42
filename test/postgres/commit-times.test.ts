import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CommitReport } from '../../src/db/on-commit.ts'
import type { Observation } from '../../src/http/observe.ts'
import { startApp } from '../harness/app.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'

it('a write on PostgreSQL says how long it waited for its batch, its statements and its commit', async (t) => {
  const server = await anyPostgres()
  const address = await server.createDatabase()
  const ended: Observation[] = []
  const reports: CommitReport[] = []
  const { api } = await startApp({
    settings: { PETSTORE_DATABASE: address },
    observers: [{ ended: (request) => ended.push(request), committed: (one) => reports.push(one) }],
  })
  t.after(async () => {
    await server.dropDatabase(address)
    await server.stop()
  })
  await api.createPet({ status: 'available' })
  const session = await openSession(t, address)
  ended.length = 0
  reports.length = 0

  await session.query('begin; select from pets where id = 1 for update')
  const placed = api.post('/v1/store/orders', { petId: 1 })
  await session.query('select pg_sleep(0.05) from pets where id = 1; commit')
  assert.equal((await placed).status, 201)

  const [timings = assert.fail()] = ended
  assert.ok(timings.databaseMs >= 10 && timings.commitMs > 0 && timings.batchMs >= 0)
  assert.ok(timings.batchMs + timings.databaseMs + timings.commitMs <= timings.totalMs)
  assert.deepEqual(
    reports.map(({ inputs, waiting }) => [inputs, waiting]),
    [[1, 0]],
  )
})
