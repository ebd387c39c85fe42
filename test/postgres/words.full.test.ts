import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { runJobs } from '../../src/app/jobs.ts'
import { startApp } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'

const server = await anyPostgres()
after(() => server.stop())

it('200: a pet is found whose id is lower than one that was committed and indexed before', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const { api, context } = await startApp({ settings: { PETSTORE_DATABASE: address } })
  const early = await openSession(t, address)
  await early.query('begin')
  const { rows } = await early.query(
    "insert into pets (name, name_key, category_id) values ('Early Maine', 'early maine', 1) returning id",
  )
  const later = await api.createPet({ name: 'Later Maine' })
  const find = async () => {
    const { text } = await api.get('/v1/pets?search=maine')
    return (JSON.parse(text) as { id: number }[]).map(({ id }) => id)
  }

  const indexing = runJobs(context)
  // The job waits for the older transaction.
  await until(async () => {
    const { rows } = await server.query(
      "select query from pg_stat_activity where state = 'idle in transaction'",
    )
    return rows.some(({ query }) => query.includes('virtualtransaction'))
  })
  assert.deepEqual(await find(), [later.id])
  await early.query('commit')
  await indexing
  await runJobs(context)

  const indexed = await early.query('select last_id from pet_words_progress')
  assert.deepEqual(indexed.rows, [{ last_id: String(later.id) }])
  const { rows: words } = await early.query("select ids from pet_words where word = 'early'")
  assert.equal(Number.parseInt(words[0].ids, 16), Number(rows[0].id))
  assert.deepEqual(await find(), [Number(rows[0].id), later.id])
})
