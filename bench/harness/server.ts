import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { settingsFor, startService, whenThisProcessIsGone } from '../../test/processes/process.ts'
import type { Syncs } from './syncs.ts'

const readyMaxMs = 60_000
/** Four times what any server's log grows to between checkpoints. */
const logMaxMiB = 64
/** The contenders are told which key to accept. */
const contenderKey = 'pet_live_0000000000000000000000000000000000000000'

/** What the harness knows of a server before it starts. */
export type Setup = {
  name: string
  /** Only on SQLite. */
  syncs?: Syncs
  file?: string
  /** Only on PostgreSQL: the name of its database, and the server's process. */
  database?: string
  databasePid?: number
}

export type Server = Setup & {
  baseUrl: string
  key: string
  pid: number
  stop(): Promise<void>
}

/** Starts `petstore serve` of a working copy as in production, with its files in `directory`. */
export async function startOurs(
  setup: Setup,
  root: string,
  directory: string,
  env: Record<string, string>,
): Promise<Server> {
  const { PETSTORE_ACCESS_LOG: accessLog = 'off' } = process.env
  const { baseUrl, key, pid, kill } = await startService({
    root,
    // A pipe to the benchmark would have it read each line.
    wrapper: ['sh', '-c', 'exec "$0" "$@" 2>"$SERVICE_LOG"'],
    env: {
      ...settingsFor(directory),
      SERVICE_LOG: join(directory, 'log'),
      // The contenders log nothing; that ours finds slow requests stays its default.
      PETSTORE_ACCESS_LOG: accessLog,
      PETSTORE_SLOW_MS: '1000',
      ...setup.syncs?.env,
      ...env,
    },
  })
  return { ...setup, baseUrl, key, pid, stop: async () => void (await kill()) }
}

/** Starts a program that prints `{"port":…}` when it is ready. It never outlives this process. */
export async function startContender(
  setup: Setup,
  command: string,
  program: string,
  env: Record<string, string>,
): Promise<Server> {
  const child = spawn(command, [program], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BENCH_KEY: contenderKey,
      ...setup.syncs?.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  const timer = setTimeout(stop, readyMaxMs)
  const port = await readPort(child.stdout)
  clearTimeout(timer)
  if (port === undefined) throw new Error(`${setup.name} did not become ready: ${errors}`)
  const baseUrl = `http://127.0.0.1:${port}/v1`
  return { ...setup, baseUrl, key: contenderKey, pid: child.pid ?? 0, stop }
}

/** Undefined when the output ends before the line with the port. */
async function readPort(output: Readable): Promise<number | undefined> {
  for await (const line of createInterface(output)) {
    if (!line.startsWith('{"port":')) continue
    output.resume()
    return JSON.parse(line).port
  }
  return undefined
}

/** The peak memory of a process since `forgetPeak`, in MiB. */
export function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

/** Restarts the peak of `peakMiB`. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Throws when the write-ahead log of a SQLite file grows without checkpoints, which slows down every create. */
export function requireShortLog({ name, file }: Pick<Server, 'name' | 'file'>): void {
  const sizeMiB = file === undefined ? 0 : statSync(`${file}-wal`).size / 2 ** 20
  if (sizeMiB <= logMaxMiB) return
  throw new Error(
    `The log of ${name} has grown to ${Math.round(sizeMiB)} MiB without a checkpoint.`,
  )
}
