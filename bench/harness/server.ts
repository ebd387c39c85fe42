import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { settingsFor, startService, whenThisProcessIsGone } from '../../test/support/process.ts'
import type { Syncs } from './syncs.ts'

const readyMaxMs = 60_000
/** Four times the longest that anybody lets it grow to before it is copied into the file. */
const logMaxMiB = 64

/** A server that is measured. */
export type Server = {
  name: string
  baseUrl: string
  key: string
  pid: number
  /** Whose processor time counts, with all their children. */
  pids: readonly number[]
  syncs: Syncs | undefined
  /** Its name within the PostgreSQL server; empty on SQLite. */
  database: string
  /** Whether it only replays what ours answered, and checks nothing. */
  isLimit: boolean
  stop(): Promise<void>
}

type Start = {
  name: string
  syncs: Syncs | undefined
  databasePids?: readonly number[]
  database?: string
}

/** Our service, as `petstore serve` runs in production, with what it keeps in `directory`. */
export async function startOurs(
  { name, syncs, databasePids = [], database = '' }: Start,
  { directory, env = {} }: { directory: string; env?: Record<string, string> },
): Promise<Server> {
  const service = await startService({
    env: { ...settingsFor(directory), ...syncs?.env, ...env },
  })
  const { baseUrl, key, pid } = service
  return {
    ...{ name, baseUrl, key, pid, syncs, database },
    pids: [pid, ...databasePids],
    isLimit: false,
    stop: async () => void (await service.kill()),
  }
}

/** Another server: a program that prints `{"port":…}` when it is ready. It never outlives this process. */
export async function startOther(
  { name, syncs, databasePids = [], database = '' }: Start,
  {
    command: [file = '', ...args],
    key,
    env,
    isLimit = false,
  }: { command: readonly string[]; key: string; env: Record<string, string>; isLimit?: boolean },
): Promise<Server> {
  const child = spawn(file, args, {
    env: { ...process.env, NODE_ENV: 'production', BENCH_KEY: key, ...syncs?.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: ready, resolve, reject } = Promise.withResolvers<number>()
  let output = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const line = output
      .split('\n')
      .slice(0, -1)
      .find((text) => text.startsWith('{"port":'))
    if (line !== undefined) resolve(JSON.parse(line).port)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2_000)
  })
  child.once('error', reject)
  child.once('close', () => {
    reject(new Error(`${name} did not start: ${complaints}`))
    end()
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const timer = setTimeout(() => {
    reject(new Error(`${name} is not ready after ${readyMaxMs} ms`))
    child.kill('SIGKILL')
  }, readyMaxMs)
  const port = await ready.finally(() => clearTimeout(timer))
  const pid = child.pid ?? 0
  return {
    ...{ name, key, pid, syncs, database, isLimit, stop },
    baseUrl: `http://127.0.0.1:${port}/v1`,
    pids: [pid, ...databasePids],
  }
}

/** The most memory that a process has had since `forgetPeak`, in MiB. */
export function peakMiB(pid: number): number {
  return memoryMiB(pid, 'VmHWM')
}

/** The memory that a process has now, in MiB. */
export function residentMiB(pid: number): number {
  return memoryMiB(pid, 'VmRSS')
}

/** A log that is never copied into its file makes every create dearer. Throws when a server's has grown too long. */
export function demandShortLog({ name, pid }: Pick<Server, 'name' | 'pid'>): void {
  const sizeMiB = logMiB(pid)
  if (sizeMiB <= logMaxMiB) return
  throw new Error(`The log of ${name} has grown to ${Math.round(sizeMiB)} MiB: it is never copied.`)
}

/** What a process's open write-ahead logs of SQLite take, in MiB. */
export function logMiB(pid: number): number {
  const open = `/proc/${pid}/fd`
  const paths = readdirSync(open).flatMap((descriptor) => pathOf(`${open}/${descriptor}`) ?? [])
  const logs = new Set(paths.filter((path) => path.endsWith('-wal')))
  return [...logs].reduce((sum, path) => sum + statSync(path).size, 0) / 2 ** 20
}

/** Where a descriptor leads, unless it has been closed meanwhile. */
function pathOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor)
  } catch {
    return undefined
  }
}

function memoryMiB(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
}
