import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { isFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, openStore, settingsOn } from '../processes/postgres-store.ts'
import { type Service, startService } from '../processes/process.ts'

const body = '{"name":"Rex","categoryId":7}'
const requestsCount = 5

describe('a PostgreSQL whose rights or schema somebody changes under a running service', () => {
  let server: PostgresServer
  before(async () => {
    server = await anyPostgres()
  })
  after(() => server?.stop())
  let roles = 0

  /** A service whose role is not the owner of the tables, and a session of the owner. */
  async function serve(t: TestContext) {
    const address = await server.createDatabase()
    const database = new URL(address).pathname.slice(1)
    const owner = await openSession(t, address)
    await (await openStore(address)).close()
    roles += 1
    const role = `clerk_${process.pid}_${roles}`
    await owner.query(`create role ${role} login password 'clerk';
      grant select, insert, update, delete on all tables in schema public to ${role};
      grant select on all sequences in schema public to ${role}`)
    const own = new URL(address)
    Object.assign(own, { username: role, password: 'clerk' })
    const env = settingsOn(t, own.href)
    const service = await startService({ env })
    t.after(async () => {
      await service.kill()
      await server.query(`drop owned by ${role}; drop role ${role}`, database)
      await server.dropDatabase(address)
    })
    /** Ends the sessions of the service, so that it has to open others. */
    const endSessions = () =>
      owner.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where application_name = 'petstore' and datname = '${database}'`,
      )
    return { owner, role, service, env, endSessions }
  }

  const create = ({ baseUrl, key }: Service) =>
    ask(`${baseUrl}/pets`, key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })

  it('503: rights or the schema are changed; the operator is told once of each, and it ends with its cause', async (t) => {
    const { owner, role, service } = await serve(t)
    const changes = [
      [`revoke insert on pets from ${role}`, `grant insert on pets to ${role}`],
      ['alter table pets rename to moved_pets', 'alter table moved_pets rename to pets'],
      [
        'alter table pets rename category_id to kind',
        'alter table pets rename kind to category_id',
      ],
    ] as const

    const refused = []
    const stored = []
    for (const [change, undo] of changes) {
      await owner.query(change)
      for (let sent = 0; sent < requestsCount; sent++) refused.push(await create(service))
      await owner.query(undo)
      stored.push((await create(service)).status)
    }
    const { stderr } = await service.stop()

    assert.deepEqual(stored, [201, 201, 201])
    for (const { status, headers, text } of refused) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.match(text, /Nothing was stored/)
    }
    const messages = stderr
      .split('\n')
      .flatMap((line) => /"msg":"(postgres:.+)"\}$/.exec(line)?.[1] ?? [])
    assert.deepEqual(
      messages.map(
        (message) => /(refuses the role|has another schema).*SQLSTATE \w+/.exec(message)?.[0],
      ),
      [
        'refuses the role a right that the service needs: permission denied for table pets (SQLSTATE 42501',
        String.raw`has another schema than its migrations make: relation \"pets\" does not exist (SQLSTATE 42P01`,
        String.raw`has another schema than its migrations make: column \"category_id\" of relation \"pets\" does not exist (SQLSTATE 42703`,
      ],
    )
  })

  it('201: the search path of the role is changed; the store stays the same, also for new sessions and starts', async (t) => {
    const { owner, role, service, env, endSessions } = await serve(t)
    assert.equal((await create(service)).status, 201)
    await owner.query(`create schema other; grant all on schema other to ${role}`)

    const created = []
    for (const path of isFull ? ['other', 'nowhere', "''"] : ['other']) {
      await owner.query(`alter role ${role} set search_path = ${path}`)
      await endSessions()
      await until(async () => (await create(service)).status === 201)
      const { code, stderr } = await petstoreInThread(['verify'], { env })
      assert.equal(code, 0, stderr)
      const again = await startService({ env })
      created.push((await ask(`${again.baseUrl}/pets`, service.key)).status)
      await again.stop()
    }

    assert.deepEqual([...new Set(created)], [200])
    const { rows } = await owner.query("select from pg_tables where schemaname = 'other'")
    assert.equal(rows.length, 0)
  })
})
