import { hash } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { storage } from '../../src/app/storage.ts'
import { createMutex } from '../../src/db/batching/mutex.ts'
import { loadMigrations } from '../../src/db/schema/migrate.ts'
import { usePostgres } from '../processes/postgres.ts'

/** The engine of this test run: `TEST_ENGINE=postgres`, or SQLite. */
export const isOnPostgres = process.env.TEST_ENGINE === 'postgres'

type TestDatabase = {
  address: string
  /** Runs statements beside the service; absent in memory. */
  run?(statements: string): Promise<unknown>
  giveBack(): Promise<void>
}

/** An empty database for one test: in memory, or on the server that `TEST_POSTGRES` names. */
export async function freshDatabase(): Promise<TestDatabase> {
  if (!isOnPostgres) return { address: 'sqlite::memory:', giveBack: async () => undefined }
  return freshOnPostgres(process.env.TEST_POSTGRES ?? '')
}

// Creating a database takes as long as ten tests. So databases stay on the server: a process marks its own with a
// lock that ends with the process, and empties them between its tests.

/** An empty database on this server, the only one that this process uses this way. */
export async function freshOnPostgres(server: string): Promise<TestDatabase> {
  const { address, client } = idle.pop() ?? (await oneAtATime(() => holdDatabase(server)))
  return {
    address,
    run: (statements) => client.query(statements),
    async giveBack() {
      await empty(client)
      idle.push({ address, client })
    },
  }
}

/** A database that this process holds, and a connection to it. */
type Held = { address: string; client: pg.Client }

const idle: Held[] = []
const clients: pg.Client[] = []
after(() => Promise.all(clients.map((client) => client.end())))

/** The first of the lock numbers, one for each database; any range that nobody else uses. */
const firstLock = 7_365_740_000
/** A hash of the migrations: databases of other schemas are not reused. */
const schema = hash('sha256', JSON.stringify(loadMigrations('postgres'))).slice(0, 8)

let admin: Promise<pg.Client> | undefined
let tried = 0
// Tests may take several at once, and a client of `pg` runs one statement at a time.
const oneAtATime = createMutex()

async function holdDatabase(server: string): Promise<Held> {
  admin ??= connect(server)
  const locks = await admin
  for (;;) {
    tried += 1
    const number = tried
    const { rows } = await locks.query(`select pg_try_advisory_lock(${firstLock + number}) as mine`)
    if (!rows[0].mine) continue
    const name = `petstore_test_${schema}_${number}`
    const found = await locks.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) {
      await locks.query(`create database ${name} template template0 encoding 'UTF8'`)
    }
    const address = usePostgres(server).addressOf(name)
    const client = await connect(address)
    await empty(client)
    return { address, client }
  }
}

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client(address)
  await client.connect()
  clients.push(client)
  return client
}

/** Resets a database to the state after the migrations. Deleting a few rows is faster than truncating. */
async function empty(client: pg.Client): Promise<void> {
  // A new database has no tables before its first test.
  const { rows } = await client.query(selectOthers)
  const [{ isNew, others }] = rows
  if (isNew) return
  const statements = storage.tables.flatMap(({ name, assignsIds, firstRows = [] }) => [
    `delete from ${name}`,
    ...firstRows.map((row) => {
      const values = Object.values(row).map(String).join(', ')
      return `insert into ${name} (${Object.keys(row).join(', ')}) values (${values})`
    }),
    ...(assignsIds ? [`select setval(pg_get_serial_sequence('${name}', 'id'), 1, false)`] : []),
  ])
  const drops = others.map((schema: string) => `drop schema ${schema} cascade`)
  await client.query([...drops, ...statements].join('; '))
}

/** Schemas beside that of the store: triggers that note touched rows, and stores that a restore has kept. */
const selectOthers = `select to_regclass('migrations') is null as "isNew",
  array(select quote_ident(nspname) from pg_namespace
    where nspname !~ '^(pg_|information_schema$|public$)') as others`
