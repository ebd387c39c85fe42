import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createEmptyStore } from '../harness/empty-store.ts'
import { isFull, itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { ask, petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { openStore, serveRefused, settingsOn } from '../processes/postgres-store.ts'
import { type Exit, launchService, startService } from '../processes/process.ts'

const password = 'a-secret-of-nobody'

/** Replaces the user, password, host or database in an address. */
function changed(address: string, parts: Partial<Record<keyof URL, string>>): string {
  return Object.assign(new URL(address), parts).href
}

type Report = { groups: { findings: { check: string; level: string; message: string }[] }[] }

const nameOf = (database: string) => new URL(database).pathname.slice(1)

/** Runs beside the tests, since it takes ten seconds. */
const withoutServer = isFull
  ? petstore(['serve', '--json'], {
      env: { PETSTORE_DATABASE: 'postgres://me@127.0.0.1:1/petstore' },
    })
  : undefined

describe('a start on PostgreSQL', () => {
  let server: OwnPostgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.stop())

  async function setFsync(value: 'on' | 'off') {
    await server.query(`alter system set fsync = ${value}`)
    await server.query('select pg_reload_conf()')
    await until(async () => (await server.query('show fsync')).rows[0].fsync === value)
  }

  async function tablesOf(database: string): Promise<unknown[]> {
    const text = "select tablename from pg_tables where schemaname = 'public'"
    return (await server.query(text, nameOf(database))).rows
  }

  it('78 configuration: a server with fsync off would lose acknowledged data', async (t) => {
    const database = await server.createDatabase()
    await setFsync('off')

    const { code, stdout, stderr } = await serveRefused(t, database)
    await setFsync('on')

    assert.deepEqual([code, stdout], [78, ''])
    assert.match(stderr, /^postgres:\S+ cannot be served: fsync is off: .*\n$/)
    assert.deepEqual(await tablesOf(database), [])
  })

  it('79 finding: doctor reports what a start refuses, changes nothing, and shows no password', async () => {
    const database = await server.createDatabase()
    await createEmptyStore(database, 'staging')
    await server.query(`create role blind login password '${password}'`)
    const examine = async (address: string) => {
      const env = { PETSTORE_DATABASE: address, PETSTORE_ENVIRONMENT: 'staging' }
      const { code, stdout } = await petstoreInThread(['doctor', '--json'], { env })
      assert.doesNotMatch(stdout, /postgres:postgres|nobody/)
      const { groups } = JSON.parse(stdout) as Report
      const findings = groups.flatMap(({ findings }) => findings)
      const errors = findings.filter(({ level }) => level === 'error')
      return { code, checks: findings.map(({ check }) => check), errors }
    }
    const before = await tablesOf(database)

    const sound = await examine(database)
    await setFsync('off')
    const lossy = await examine(database)
    await setFsync('on')
    const refused = await examine(changed(database, { password }))
    const blind = await examine(changed(database, { username: 'blind', password }))

    assert.deepEqual([sound.code, sound.errors], [0, []])
    for (const check of ['primary', 'connections', 'store'])
      assert.ok(sound.checks.includes(check), `${check} is not among ${sound.checks}`)
    for (const [{ code, errors }, message] of [
      [lossy, /fsync is off/],
      [refused, /password authentication failed/],
      [blind, /permission denied/],
    ] as const) {
      assert.deepEqual([code, errors.map(({ check }) => check)], [79, ['store']])
      assert.match(errors[0]?.message ?? '', message)
    }
    assert.deepEqual(await tablesOf(database), before)
  })

  it('78 configuration: a database in LATIN1 cannot hold all names', async (t) => {
    await server.query("create database in_latin1 template template0 encoding 'LATIN1' locale 'C'")
    const database = server.addressOf('in_latin1')

    const { code, stderr } = await serveRefused(t, database)

    assert.equal(code, 78)
    assert.match(stderr, /its encoding is LATIN1; .*\n$/)
    assert.deepEqual(await tablesOf(database), [])
  })

  itInFull('warns of synchronous_commit off, and commits synchronously all the same', async (t) => {
    const database = await server.createDatabase()
    await server.query(`alter database ${nameOf(database)} set synchronous_commit = off`)
    await (await openStore(database)).close()
    await server.query(recordCommits, nameOf(database))
    await using service = await startService({ env: settingsOn(t, database) })

    const { status } = await ask(`${service.baseUrl}/pets`, service.key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":7}',
    })
    const { stderr } = await service.stop()

    const { rows } = await server.query('select distinct mode from modes', nameOf(database))
    assert.equal(status, 201)
    assert.deepEqual(rows, [{ mode: 'on' }])
    assert.match(stderr, /"level":40,.*synchronous_commit is off/)
  })

  it('77 noPermission: a wrong password, which is not repeated', async (t) => {
    const database = changed(await server.createDatabase(), { password })

    const { code, stdout, stderr } = await serveRefused(t, database)

    assert.deepEqual([code, stdout], [77, ''])
    assert.match(stderr, /^\S.*password authentication failed for user "postgres"\.\n$/)
    assert.ok(!stderr.includes(password))
  })

  it('78 configuration: a database that does not exist', async (t) => {
    const { code, stdout, stderr } = await serveRefused(t, server.addressOf('nowhere'))

    assert.deepEqual([code, stdout], [78, ''])
    assert.match(stderr, /^\S.*database "nowhere" does not exist\.\n$/)
    assert.ok(!stderr.includes('postgres:postgres'))
  })

  itInFull(
    '78 configuration: a server without TLS, where the address asks for it, is not tried again',
    async (t) => {
      const database = `${await server.createDatabase()}?sslmode=require`

      const { code, stdout, stderr } = await serveRefused(t, database, { run: petstore })

      assert.deepEqual([code, stdout], [78, ''])
      assert.match(stderr, /^PostgreSQL at \S+ .*: it offers no TLS, which sslmode asks for\.\n$/)
    },
  )

  itInFull('connects by a socket, and by several hosts of which one responds', async (t) => {
    const name = nameOf(await server.createDatabase())
    const { rows } = await server.query('show unix_socket_directories')
    const socket = encodeURIComponent(rows[0].unix_socket_directories)
    const hosts = `127.0.0.1:1,${socket}:${server.port}`

    const database = `postgres://postgres:postgres@${hosts}/${name}?target_session_attrs=read-write`
    await using service = await startService({ env: settingsOn(t, database) })

    assert.equal((await ask(`${service.baseUrl}/pets`, service.key)).status, 200)
  })

  itInFull('waits for a server that is starting up', async (t) => {
    const database = await server.createDatabase()
    await server.bringDown('fast')
    const launch = launchService({ env: settingsOn(t, database) })
    await server.bringUp()

    await using service = await launch.ready

    assert.equal((await ask(`${service.baseUrl}/pets`, service.key)).status, 200)
  })
})

itInFull('74 ioError: gives up a missing server after a while', async () => {
  const { code, stdout, stderr } = (await withoutServer) as Exit

  assert.deepEqual([code, stdout], [74, ''])
  assert.match(stderr, /^No PostgreSQL server .* responds at 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/)
})

/** Makes the database record how each insert of a pet is committed. */
const recordCommits = `create table modes (mode text);
  create function record_mode() returns trigger language plpgsql as $$ begin
    insert into modes values (current_setting('synchronous_commit'));
    return null;
  end $$;
  create trigger record after insert on pets for each statement execute function record_mode()`
