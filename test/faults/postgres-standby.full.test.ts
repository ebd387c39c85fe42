import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sqlOn } from '../../src/db/postgres/sql.ts'
import { aPet, expectError } from '../harness/app.ts'
import { type Answer, checkAnswer } from '../harness/contract.ts'
import { ask } from '../processes/command.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'
import { type Service, startService } from '../processes/process.ts'

type Interference = 'pg_cancel_backend' | 'pg_terminate_backend'

/** Makes commits wait for a standby. There is none, so they wait until the interference. */
const waiting = "pg_stat_activity where wait_event = 'SyncRep' and application_name = 'petstore'"

describe('a PostgreSQL whose standby confirms nothing', () => {
  let server: OwnPostgres
  let admin: pg.Client
  let service: Service
  let address: string

  const directory = mkdtempSync(join(tmpdir(), 'petstore-standby-'))

  before(async () => {
    server = await startPostgres()
    address = await server.createDatabase()
    // Settings of the role must neither disable waiting for the standby nor hide its warning.
    await server.query('alter role postgres set synchronous_commit = local')
    await server.query('alter role postgres set client_min_messages = error')
    admin = new pg.Client(address)
    await admin.connect()
    service = await startService({
      env: {
        PETSTORE_DATABASE: address,
        PETSTORE_FIRST_KEY_FILE: join(directory, 'first-key'),
        PETSTORE_PORT: '0',
      },
    })
  })
  after(async () => {
    await service?.kill()
    await admin?.end()
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  for (const interference of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
    it(`503: ${interference} while a create waits for the standby`, async () => {
      const name = `Rex ${interference}`
      const answer = await withoutStandby(interference, () => post('/pets', aPet({ name })))

      expectUnknown(answer)
      assert.equal(await countOf(name), 1, 'it is stored, but nobody may be told so')
      assert.equal((await post('/pets', aPet())).status, 201)
    })

    it(`503: ${interference} while an order waits for the standby`, async () => {
      const { id } = JSON.parse((await post('/pets', aPet({ status: 'available' }))).text)

      expectUnknown(await withoutStandby(interference, () => post('/store/orders', { petId: id })))
    })
  }

  it('503: a repetition waits for the standby too; once the standby confirms, 201, stored once', async () => {
    const create = () => post('/pets', aPet({ name: 'Once' }), 'a key')

    const [first, second] = [
      await withoutStandby('pg_cancel_backend', create),
      await withoutStandby('pg_cancel_backend', create),
    ]
    const third = await create()

    expectUnknown(first)
    expectUnknown(second)
    assert.deepEqual([third.status, third.headers['idempotency-replayed']], [201, 'true'])
    assert.equal(await countOf('Once'), 1)
  })

  it('201: a notice of the server is not taken for a warning', async () => {
    await admin.query(`create function inform() returns trigger language plpgsql as $$
      begin raise info 'hello'; raise notice 'hello'; return null; end $$;
      create trigger inform after insert on pets for each statement execute function inform()`)

    const { status } = await post('/pets', aPet())

    await admin.query('drop trigger inform on pets')
    assert.equal(status, 201)
  })

  it('a commit that the server turns into a rollback fails', async (t) => {
    const sql = sqlOn(await openSession(t, address))
    await sql.command('begin isolation level read committed')
    await assert.rejects(Promise.resolve(sql.all('select 1 / 0')))

    await assert.rejects(sql.command('commit'), /The server answered ROLLBACK to a commit/)
  })

  async function post(path: string, body: unknown, key?: string): Promise<Answer> {
    const { status, text, headers } = await ask(`${service.baseUrl}${path}`, service.key, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    const answer = { status, text, headers: Object.fromEntries(headers) }
    checkAnswer('POST', `/v1${path}`, answer)
    return answer
  }

  function expectUnknown(answer: Answer) {
    expectError(answer, 503, 'unavailable')
    assert.match(answer.text, /it is stored or it is not/)
  }

  async function countOf(name: string): Promise<number> {
    return (await admin.query('select from pets where name = $1', [name])).rowCount ?? 0
  }

  /** Makes commits wait for a missing standby, and interferes with the waiting ones until the response arrives. */
  async function withoutStandby(interference: Interference, work: () => Promise<Answer>) {
    await setStandbys('*')
    let answer: Answer | undefined
    const answered = work().then((got) => (answer = got))
    while (answer === undefined) {
      await admin.query(`select ${interference}(pid) from ${waiting}`)
      await Promise.race([answered, sleep(5)])
    }
    await setStandbys('')
    return answer
  }

  /** Resolves once commits wait, or once none waits. */
  async function setStandbys(names: string) {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`)
    await admin.query('select pg_reload_conf()')
    const probe = new pg.Client(address)
    await probe.connect()
    await probe.query("set application_name = 'probe'; set synchronous_commit = on")
    const waits = `select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and application_name = 'probe'`
    let hasWaited: boolean
    do {
      let isOver = false
      hasWaited = false
      const commit = probe
        .query("select pg_logical_emit_message(true, '', '')")
        .finally(() => (isOver = true))
      while (!isOver) {
        if ((await admin.query(waits)).rowCount) hasWaited = true
        await Promise.race([commit, sleep(2)])
      }
    } while (hasWaited !== (names !== ''))
    await probe.end()
  }
})
