import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../harness/listen.ts'
import {
  type Exit,
  environmentFor,
  launchService,
  repositoryRoot,
  startProgram,
  withoutConsole,
} from './process.ts'

const endsMaxMs = 60_000

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

/** A directory that is removed after the test, or after all of a file by its `after`. */
export function aDirectory(t: { after(remove: () => void): void }): string {
  const { path, remove } = mkdtempDisposableSync(join(tmpdir(), 'petstore-test-'))
  t.after(remove)
  return path
}

/** Starts a command without waiting for it; tests read its output. It is killed at the end of the test. */
export function spawnCommand(
  t: TestContext,
  command: readonly string[],
  { env = {}, cwd = repositoryRoot }: { env?: Record<string, string>; cwd?: string } = {},
) {
  const program = startProgram(command, {
    cwd,
    env: environmentFor({ ...withoutConsole, ...env }),
  })
  t.after(() => program.child.kill('SIGKILL'))
  return program
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
