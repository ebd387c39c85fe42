import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentWith } from '../../src/config/config.ts'
import { listen } from '../harness/listen.ts'
import {
  collectOutput,
  type Exit,
  launchService,
  repositoryRoot,
  withoutConsole,
} from './process.ts'

const outputMaxMs = 60_000
const endsMaxMs = 60_000
const pollMs = 20

/** How a command is run; `wrapper` is put in front of it and must exec. */
type CommandOptions = { env?: Record<string, string>; wrapper?: string[] }

/** Runs `petstore ARGS` to its end; throws where it has not ended after a minute. */
export async function petstore(args: string[], options: CommandOptions = {}): Promise<Exit> {
  await using command = launchService({ args, ...options })
  const late = sleep(endsMaxMs, undefined, { ref: false })
  const exit = await Promise.race([command.exited, late])
  if (exit) return exit
  const { stdout, stderr } = await command.kill()
  throw new Error(
    `petstore ${args.join(' ')} did not end within ${endsMaxMs} ms: ${stdout}\n${stderr}`,
  )
}

/** A directory that is removed after the test. */
export function aDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-commands-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Starts a command without waiting for it; tests read its output. It is killed at the end of the test. */
export function spawnCommand(
  t: TestContext,
  [file, ...args]: [string, ...string[]],
  { env = {}, cwd = repositoryRoot }: { env?: Record<string, string>; cwd?: string } = {},
) {
  const child = spawn(file, args, {
    cwd,
    env: { ...environmentWith({ ...withoutConsole, ...env }), NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child)
  const closed = once(child, 'close')
  t.after(() => child.kill('SIGKILL'))

  return {
    child,
    /** The output so far. */
    output,
    /** Resolves with the match once standard output has it; throws after a minute, or when the process ends without it. */
    async waitFor(pattern: RegExp) {
      const endMs = performance.now() + outputMaxMs
      while (performance.now() < endMs) {
        const match = pattern.exec(output.stdout)
        if (match) return match
        if (child.exitCode !== null) break
        await sleep(pollMs)
      }
      throw new Error(`${pattern} was not written: ${output.stdout}\n${output.stderr}`)
    },
    /** Resolves with the exit code. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      const [code] = await closed
      return code as number | null
    },
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<string> {
  const server = createServer()
  const port = await listen(server)
  await once(server.close(), 'close')
  return String(port)
}

/** The executable, as `spawnCommand` runs it. */
export function executable(...args: string[]): [string, ...string[]] {
  return [process.execPath, join(repositoryRoot, 'bin/petstore.js'), ...args]
}

/** Sends a request with a key; returns the status and the body. */
export async function ask(
  url: string,
  key: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Starts a program of others; keeps what it writes. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collectOutput(child)
  return {
    ended: once(child, 'close').then(([code]) => code as number | null),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => output.stdout + output.stderr,
    kill: () => child.kill('SIGKILL'),
  }
}

/** Polls until the condition holds; throws after a minute, unless another time is given. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  maxMs = outputMaxMs,
): Promise<void> {
  const endMs = performance.now() + maxMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not within ${maxMs} ms: ${isSo}`)
    await sleep(pollMs)
  }
}
