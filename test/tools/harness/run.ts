import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { whenThisProcessIsGone } from '../../processes/process.ts'

/** Many times what any tool takes. */
const hangMs = 300_000

const quietly = {
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

type Output = { exitCode: number; output: string }

/** Runs a program to its end, and returns its output. */
export async function run(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Output> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...quietly, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hangMs,
    killSignal: 'SIGKILL',
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const [output, errors, [exitCode]] = await ended
  return { exitCode: exitCode ?? -1, output: `${output}${errors}` }
}

/** What a program says of its version, in its first line; undefined where it is not installed. */
export async function versionOf(command: string, cwd: string): Promise<string | undefined> {
  const [program = '', ...args] = command.split(' ')
  const ended = await run(program, args, cwd).catch(() => undefined)
  return ended?.exitCode === 0 ? ended.output.split('\n', 1)[0] : undefined
}

/** Runs a script in this Node; throws its output when it fails. */
export async function runNode(args: string[], cwd: string): Promise<string> {
  const { exitCode, output } = await run(process.execPath, args, cwd)
  if (exitCode !== 0) throw new Error(output.trim() || `It ended with ${exitCode}.`)
  return output
}

/** Runs a shell command, with this Node as `node`; throws its output when it fails. */
export async function runShell(
  command: string,
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const { exitCode, output } = await run('sh', ['-c', command], cwd, { PATH: path, ...env })
  if (exitCode !== 0) throw new Error(output.trim() || `It ended with ${exitCode}.`)
  return output
}
