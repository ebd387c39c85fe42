import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { interleave } from '../../bench/rounds.ts'
import { environmentWith } from '../../src/config/config.ts'
import { showProgress } from '../harness/progress.ts'
import { executable } from '../processes/command.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import {
  repositoryRoot,
  type Service,
  settingsFor,
  startService,
  whenThisProcessIsGone,
} from '../processes/process.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'

/** A folder for stores, and a PostgreSQL of its own on that engine. `stack` ends what is in them. */
export type Bench = {
  engine: string
  directory: string
  server: OwnPostgres | undefined
  stack: AsyncDisposableStack
}

/** Measures on the engine that is named, else on both; then ends this process. */
export async function onEngines(
  engine: string | undefined,
  flags: readonly string[],
  measure: (bench: Bench) => Promise<void>,
): Promise<never> {
  for (const one of engine === undefined ? ['sqlite', 'postgres'] : [engine]) {
    await using stack = new AsyncDisposableStack()
    const directory = mkdtempSync(join(tmpdir(), 'petstore-measured-'))
    stack.defer(() => rmSync(directory, { recursive: true, force: true }))
    const server = one === 'postgres' ? await startPostgres(flags) : undefined
    stack.defer(() => server?.stop())
    await measure({ engine: one, directory, server, stack })
  }
  // Set explicitly: the package that runs PostgreSQL would end the process with 0.
  process.exit(process.exitCode ?? 0)
}

/** A service, the processes that work for it, and its settings. */
export type Subject = { service: Service; pids: number[]; env: Record<string, string> }

/** Serves a new store, which `fill` has filled while nobody served it. */
export async function serveFilled(
  { directory, server, stack }: Bench,
  fill: (address: string) => Promise<void>,
  { root = repositoryRoot, env: more = {}, wrapper = [] as string[] } = {},
): Promise<Subject> {
  const own = settingsFor(mkdtempSync(join(directory, 'store-')))
  const address = (await server?.createDatabase()) ?? (own.PETSTORE_DATABASE as string)
  const env: Record<string, string> = { ...own, PETSTORE_DATABASE: address, ...more }
  // Migrated by its first start.
  await (await startService({ root, env })).stop()
  await fill(address)
  const service = await startService({ root, env, wrapper })
  stack.defer(async () => void (await service.stop()))
  return { service, pids: [service.pid, ...(server ? [await postmasterOf(server)] : [])], env }
}

/** The store's files, its log among them, or its database, in MiB. */
export async function sizeOnDisk({ server }: Bench, { env }: Subject): Promise<number> {
  const address = env.PETSTORE_DATABASE as string
  if (!server) {
    const path = address.replace('sqlite:', '')
    const files = globSync(`${path}*`)
    return files.reduce((sum, file) => sum + statSync(file).size, 0) / 2 ** 20
  }
  const name = new URL(address).pathname.slice(1)
  const { rows } = await server.query(`select pg_database_size('${name}') as bytes`)
  return Number(rows[0].bytes) / 2 ** 20
}

/** The server writes its process id into the first line of this file. */
export async function postmasterOf({ query }: OwnPostgres): Promise<number> {
  const { rows } = await query("select pg_read_file('postmaster.pid') as file")
  return Number.parseInt(rows[0].file, 10)
}

/** The numbers of each side of each row, by round, interleaved; a further round only warms up. */
export async function measureRounds<Row, Side>(
  rounds: number,
  rows: readonly Row[],
  sides: readonly Side[],
  measure: (side: Side, row: Row) => Promise<number>,
): Promise<(row: Row, side: Side) => number[]> {
  const measured = new Map(rows.map((row) => [row, new Map(sides.map((side) => [side, [0]]))]))
  const of = (row: Row, side: Side) => measured.get(row)?.get(side) ?? []
  const onRound = (round: number) => showProgress(`round ${round} of ${rounds}`)
  for (const turn of interleave(rows, () => sides, { first: 0, last: rounds, onRound })) {
    of(turn.row, turn.side)[turn.round] = await measure(turn.side, turn.row)
  }
  return (row, side) => of(row, side).slice(1)
}

export type Call = { method?: 'GET' | 'POST'; path: string; body?: string }

/** Processor time of one request, that of the database server included, in microseconds. */
export async function costOf(
  { service, pids }: Subject,
  { requests, connections }: { requests: number; connections: number },
  next: () => Call,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const before = processorMs(...pids)
  let left = requests
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await send(service, agent, next())
    }),
  )
  const spent = processorMs(...pids) - before
  agent.destroy()
  return (spent * 1_000) / requests
}

/** Sends a request, and reads the response to its end. Rejects unless it succeeds. */
export function send(
  { baseUrl, key }: Service,
  agent: Agent,
  { method = 'GET', path, body }: Call,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    const sent = request(`${baseUrl}${path}`, { agent, method, headers }, (response) => {
      const isRight = response.statusCode === (method === 'POST' ? 201 : 200)
      if (!isRight) reject(new Error(`${method} ${path} answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

type Watched = {
  env?: Record<string, string>
  /** The server whose processor time is measured too. */
  serverPid?: number
  /** May end the command. */
  meanwhile?: (pid: number) => Promise<void>
}

type Run = {
  code: number | string
  stderr: string
  seconds: number
  processorSeconds: number
  serverSeconds: number
  peakMiB: number
}

const pollEveryMs = 100

/** Runs `petstore ARGS` to its end, and watches what it takes. */
export async function runWatched(
  args: readonly string[],
  { env = {}, serverPid, meanwhile }: Watched = {},
): Promise<Run> {
  const startMs = performance.now()
  const serverMs = () => (serverPid === undefined ? 0 : processorMs(serverPid))
  const beforeMs = serverMs()
  const [file, ...rest] = executable(...args)
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  const child = spawn(file, rest, { env: environmentWith(env), stdio })
  const pid = child.pid as number
  whenThisProcessIsGone('kill -9 "$1"', [String(pid)], child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close')
  const most = { processorSeconds: 0, serverSeconds: 0, peakMiB: 0 }
  // A process that has ended, such as a session of the server, is counted no more.
  const watching = setInterval(() => {
    most.peakMiB = Math.max(most.peakMiB, memoryMiB(pid))
    most.processorSeconds = Math.max(most.processorSeconds, processorMs(pid) / 1_000)
    most.serverSeconds = Math.max(most.serverSeconds, (serverMs() - beforeMs) / 1_000)
  }, pollEveryMs)
  await meanwhile?.(pid)
  const [code, signal] = await closed
  clearInterval(watching)
  return { ...most, code: code ?? signal, stderr, seconds: (performance.now() - startMs) / 1_000 }
}

/** This process exits with 1. */
export function fail(sentence: string): void {
  console.error(`FAILED, ${sentence}.`)
  process.exitCode = 1
}

export function tableOf(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...others] = rows
  const lines = [head, head.map(() => '---'), ...others]
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n')
}
