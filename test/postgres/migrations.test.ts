import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { loadMigrations } from '../../src/db/schema/migrate.ts'
import { amount, itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, openStore, serveRefused, settingsOn } from '../processes/postgres-store.ts'
import { launchService, readFirstKey, startService } from '../processes/process.ts'

const nameOf = (database: string) => new URL(database).pathname.slice(1)
const names = loadMigrations('postgres').map(({ name }) => name)
const connectionsCount = amount({ quick: 10, full: 50 })
const processesCount = amount({ quick: 1, full: 3 })

describe('migrations on PostgreSQL', () => {
  let server: PostgresServer
  before(async () => {
    server = await anyPostgres()
  })
  const made: string[] = []
  after(async () => {
    for (const address of made) await server.dropDatabase(address)
    await server.stop()
  })

  async function createDatabase(): Promise<string> {
    const address = await server.createDatabase()
    made.push(address)
    return address
  }

  async function columnOf<T>(database: string, text: string): Promise<T[]> {
    const { rows } = await server.query(text, nameOf(database))
    return rows.map((row) => Object.values(row)[0] as T)
  }
  const applied = (database: string) =>
    columnOf<string>(database, 'select name from migrations order by name')

  itInFull('concurrent starts run each migration once, and issue one first key', async (t) => {
    const database = await createDatabase()
    await server.query(recordTables, nameOf(database))
    const env = settingsOn(t, database)

    const launches = Array.from({ length: processesCount }, () => launchService({ env }))
    t.after(() => Promise.all(launches.map((launch) => launch.kill())))
    const opened = await Promise.all(
      Array.from({ length: connectionsCount }, () => openStore(database)),
    )
    const services = await Promise.all(launches.map(({ ready }) => ready))

    await Promise.all(opened.map((db) => db.close()))
    assert.deepEqual(await applied(database), names)
    const made = await columnOf<string>(database, 'select name from tables_made order by name')
    assert.deepEqual(made, [...new Set(made)])
    // Some were dropped by a later migration.
    const kept = await columnOf<string>(database, tablesThereAre)
    assert.deepEqual(
      made.filter((name) => kept.includes(name)),
      kept,
    )
    assert.ok(made.includes('public.pets'))
    assert.equal((await columnOf(database, 'select id from keys')).length, 1)
    const key = readFirstKey(env)
    for (const { baseUrl } of services) {
      await until(async () => (await ask(`${baseUrl}/pets`, key)).status === 200)
    }
  })

  itInFull('a start that is killed during a migration is continued by the next', async (t) => {
    const database = await createDatabase()
    const blocked = names.find((name) => name.endsWith('create_orders')) ?? ''
    const before = names.slice(0, names.indexOf(blocked))
    // An uncommitted table of the same name: the migration has to wait for it.
    const blocker = await openSession(t, database)
    await blocker.query('begin; create table orders (id bigint)')

    const launch = launchService({ env: settingsOn(t, database) })
    await until(async () => {
      const waiting = await columnOf(database, waits)
      return waiting.length > 0
    })
    await launch.kill()
    const interrupted = await applied(database)
    await blocker.query('rollback')
    await using service = await startService({ env: settingsOn(t, database) })

    assert.deepEqual(interrupted, before)
    assert.deepEqual(await applied(database), names)
    assert.equal((await ask(`${service.baseUrl}/pets`, service.key)).status, 200)
  })

  itInFull(
    '75 alreadyServed: the upgrade to a log of events waits until older processes have stopped',
    async (t) => {
      const database = await createDatabase()
      const last = '0015_govern_keys'
      const older = await openSession(t, database)
      await older.query('create table migrations (name text primary key)')
      for (const { name, sql } of loadMigrations('postgres').filter(({ name }) => name <= last)) {
        await older.query(`${sql}; insert into migrations (name) values ('${name}')`)
      }
      // As a session of an older process.
      await older.query(`select pg_advisory_lock_shared(7365738713)`)

      const { code, stderr } = await serveRefused(t, database)
      const refused = (await applied(database)).slice(-1)
      await older.end()
      const opened = await Promise.all([openStore(database), openStore(database)])

      await Promise.all(opened.map((db) => db.close()))
      assert.equal(code, 75)
      assert.match(stderr, /Stop all processes of older versions first, on every machine\./)
      assert.deepEqual(refused, [last])
      assert.deepEqual((await applied(database)).slice(-1), names.slice(-1))
      assert.deepEqual(await columnOf(database, 'select count(*)::int from events'), [0])
    },
  )

  it('76 newerSchema: an older program changes nothing', async (t) => {
    const database = await createDatabase()
    await (await openStore(database)).close()
    await columnOf(database, "insert into migrations values ('9999_from_a_newer_version')")
    const before = await columnOf(database, everything)

    const { code, stdout, stderr } = await serveRefused(t, database)

    assert.deepEqual([code, stdout], [76, ''])
    assert.match(
      stderr,
      /^postgres:\S+ was made by a newer version of this program \(9999_from_a_newer_version\)\..*\n$/,
    )
    assert.deepEqual(await columnOf(database, everything), before)
  })
})

/** The locks that sessions of this database wait for; others use the server too. */
const waits = `select from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`

/** Makes the database record which tables are created. */
const recordTables = `create schema audit;
  create table audit.made (name text);
  create function audit.record() returns event_trigger language plpgsql as $$ begin
    insert into audit.made select object_identity from pg_event_trigger_ddl_commands()
    where object_type = 'table';
  end $$;
  create event trigger record on ddl_command_end when tag in ('CREATE TABLE')
    execute function audit.record();
  create view tables_made as select name from audit.made`

const tablesThereAre = `select 'public.' || tablename from pg_tables
  where schemaname = 'public' order by 1`

/** Every table with the time of its last change, and every row of the small ones. */
const everything = `select relname || ':' || xmin || ':' || relfilenode from pg_class
  where relnamespace = 'public'::regnamespace
  union all select name || ':' || xmin from migrations
  union all select name || ':' || xmin from keys order by 1`
