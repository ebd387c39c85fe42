import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { loadMigrations } from '../../src/db/schema/migrate.ts'
import { amount, itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openStore, serveRefused, settingsOn } from '../processes/postgres-store.ts'
import { launchService, readFirstKey } from '../processes/process.ts'

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
    assert.deepEqual(made, await columnOf<string>(database, tablesThereAre))
    assert.ok(made.includes('public.pets'))
    assert.equal((await columnOf(database, 'select id from keys')).length, 1)
    const key = readFirstKey(env)
    for (const { baseUrl } of services) {
      await until(async () => (await ask(`${baseUrl}/pets`, key)).status === 200)
    }
  })

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
