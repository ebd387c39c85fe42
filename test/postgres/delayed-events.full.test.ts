import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, settingsOn } from '../processes/postgres-store.ts'

/** The lock of a transaction that has seen no event. */
const lock = 2n ** 62n
/** Ten seconds are normal. */
const tellMaxMs = 200_000

describe('a session that does not commit delays the events of others', () => {
  let server: PostgresServer
  before(async () => {
    server = await anyPostgres()
  })
  after(() => server?.stop())

  it('the log names it once, and tells once that it ended', async (t) => {
    const address = await server.createDatabase()
    const env = settingsOn(t, address)
    const app = await startApp({ settings: env })
    t.after(() => server.dropDatabase(address))
    const lines = () => app.logLines.filter((line) => /delays? events|later events/.test(line))
    const hung = await openSession(t, address)
    const { rows } = await hung.query('select pg_backend_pid() as pid')
    const name = new RegExp(`Session ${rows[0].pid} of PostgreSQL`)

    await hung.query(`set application_name = 'report'`)
    await hung.query('begin')
    await hung.query('select pg_advisory_xact_lock_shared($1)', [lock])
    await app.api.createPet({ name: 'Rex' })
    const hidden = await app.api.get('/v1/events?type=pet.created')
    await until(() => lines().length > 0, tellMaxMs)
    const whileDelayed = lines()
    await hung.query('commit')
    const shown = await app.api.get('/v1/events?type=pet.created')
    await until(() => lines().length > 1, tellMaxMs)

    assert.deepEqual(hidden.json(), [])
    assert.equal((shown.json() as unknown[]).length, 1)
    const [began = '', ended = ''] = lines()
    assert.deepEqual(whileDelayed, [began])
    assert.match(began, name)
    assert.match(began, /pg_terminate_backend\(\d+\)/)
    assert.match(began, /\(report\) has not committed since .* It waits for Client ClientRead\./)
    assert.match(ended, name)
  })
})
