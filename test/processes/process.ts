import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { environmentWith } from '../../src/config/config.ts'

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A service that a test starts does not build the console. */
export const withoutConsole = { PETSTORE_CONSOLE: 'off' }

const writesMaxMs = 60_000
const stopMaxMs = 60_000
const noticedMaxMs = 1_000

interface ServiceOptions {
  /** The source tree to run; this one unless given. */
  root?: string
  args?: string[]
  env?: Record<string, string>
  /** A command put in front, such as `['sh', '-c', 'ulimit -f 8; exec "$0" "$@"']`. It must exec. */
  wrapper?: string[]
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A program that runs. */
type Program = ReturnType<typeof startProgram>

export type Service = Program & { baseUrl: string; key: string }

/** The process ended before it printed its ready line, or before it was stopped. */
export class EndedEarly extends Error {
  exit: Exit
  constructor(exit: Exit) {
    super(`ended early: ${exit.code ?? exit.signal}\n${exit.stderr}`)
    this.exit = exit
  }
}

/** Settings of a service that keeps its database and its first key's file in `directory`. */
export function settingsFor(directory: string): Record<string, string> {
  return {
    PETSTORE_DATABASE: `sqlite:${join(directory, 'petstore.db')}`,
    PETSTORE_FIRST_KEY_FILE: join(directory, 'first-key'),
    PETSTORE_PORT: '0',
    // A line for each request would be kept in the memory of the test.
    PETSTORE_ACCESS_LOG: 'errors',
    // A busy machine makes requests slow.
    PETSTORE_SLOW_MS: '0',
    // Idle connections of fetch would delay each stop.
    PETSTORE_DRAIN_MS: '0',
  }
}

/** Runs the executable until it is ready. Throws `EndedEarly`. The child never outlives this process. */
export async function startService(options: ServiceOptions): Promise<Service> {
  return await launchService(options).ready
}

/** Awaits work that needs a program. Throws `EndedEarly` where it fails and the program has ended. */
export async function whileRunning<T>({ exited }: Program, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // The end of a process is noticed later than that of its connections.
    const exit = await Promise.race([exited, sleep(noticedMaxMs, undefined, { ref: false })])
    throw exit ? new EndedEarly(exit) : error
  }
}

/** Runs the executable without waiting for it. `ready` rejects with `EndedEarly` when it ends before it is ready. */
export function launchService(options: ServiceOptions): Program & { ready: Promise<Service> } {
  const { root = repositoryRoot, args = ['serve', '--json'], env = {}, wrapper = [] } = options
  const program = startProgram(
    [...wrapper, process.execPath, join(root, 'bin/petstore.js'), ...args],
    {
      cwd: root,
      env: environmentFor({ ...(args[0] === 'serve' ? withoutConsole : {}), ...env }),
    },
  )
  const ready = program.waitFor(/^\{"baseUrl":.*\n/m).then(
    ([line]) => {
      const { baseUrl, key = readFirstKey(env) } = JSON.parse(line)
      return { ...program, baseUrl, key }
    },
    async () => Promise.reject(new EndedEarly(await program.kill())),
  )
  ready.catch(() => {})
  return { ...program, ready }
}

/** The first key of a service with these settings. */
export function readFirstKey(env: Record<string, string>): string {
  return readFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', 'utf8').trim()
}

/** Starts a program, and follows it to its end. It never outlives this process. */
export function startProgram([file = '', ...args]: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text))
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
    child.once('error', (error) =>
      resolve({ code: null, signal: null, ...output, stderr: String(error) }),
    )
  })
  let hasEnded = false
  exited.then(() => (hasEnded = true))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => signalAndWait(child, exited, signal)
  const kill = () => stop('SIGKILL')
  return {
    child,
    pid: child.pid ?? 0,
    /** What it has written so far. */
    output,
    written: () => output.stdout + output.stderr,
    /** Resolves once it has ended and nothing more can be read. */
    exited,
    hasEnded: () => hasEnded,
    /** Resolves with the match once standard output has it; throws after a minute, or when the process ends without it. */
    async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
      const end = Promise.race([exited, sleep(writesMaxMs, undefined, { ref: false })])
      for (let hasMore = true; hasMore; ) {
        const match = pattern.exec(output.stdout)
        if (match) return match
        const more = once(child.stdout as Readable, 'data').then(() => true)
        hasMore = await Promise.race([more, end.then(() => false)])
      }
      throw new Error(`${pattern} was not written: ${output.stdout}\n${output.stderr}`)
    },
    kill,
    /** Sends a signal; throws when the program is still there after a minute. */
    stop,
    /** For `await using`: it is killed at the end of the block, unless it has ended. */
    [Symbol.asyncDispose]: async () => void (await kill()),
  }
}

let guardFolder: string | undefined
let guarded = 0

/**
 * Makes a shell run `script` once this process has ended in any way, SIGKILL included. It is cancelled when `child`
 * ends, or by the returned function.
 */
export function whenThisProcessIsGone(
  script: string,
  args: string[],
  child?: ChildProcess,
): () => void {
  if (process.platform === 'win32') return () => {}
  guardFolder ??= startGuard()
  const path = join(guardFolder, String(++guarded))
  const quoted = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`)
  writeFileSync(path, `set -- ${quoted.join(' ')}\n${script}\n`)
  const callOff = () => rmSync(path, { force: true })
  child?.once('exit', callOff).once('error', callOff)
  return callOff
}

/** Starts the shell that waits for the end of this process, and then runs the scripts in the returned folder. */
function startGuard(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-guard-'))
  const run = 'for one in "$1"/*; do [ ! -e "$one" ] || sh "$one" & done; wait; rm -rf "$1"'
  const guard = spawn('sh', ['-c', `trap '' HUP INT TERM; read -r line; ${run}`, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The guard waits for the end of its standard input, and must not keep this process alive.
  guard.unref()
  guard.stdin.on('error', () => {})
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return folder
}

/** The environment of a process that a test starts: with these settings and no others, and not that of a test. */
export function environmentFor(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...environmentWith(settings), NODE_TEST_CONTEXT: undefined }
}

async function signalAndWait(
  child: ChildProcess,
  exited: Promise<Exit>,
  signal: NodeJS.Signals,
): Promise<Exit> {
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMaxMs)
  const exit = await exited.finally(() => clearTimeout(timer))
  if (signal !== 'SIGKILL' && exit.signal === 'SIGKILL') {
    throw new Error(`still there ${stopMaxMs} ms after ${signal}\n${exit.stderr}`)
  }
  return exit
}

/** Sends a signal to the processes that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}
