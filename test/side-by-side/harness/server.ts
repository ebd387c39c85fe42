import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenThisProcessIsGone } from '../../processes/process.ts'
import type { Call, Reply, Running } from './contender.ts'

type Command = {
  program: string
  /** PORT stands for a free port. */
  args: string[]
  cwd: string
  env?: Record<string, string>
  /** Where the paths of calls begin. */
  basePath: string
  /** The key; absent where the first line of the output has it, or a file. */
  key?: string
  keyFile?: string
  /** Gets 200 once it is ready. */
  firstPath: string
}

const readyMaxMs = 120_000
const pauseMs = 5
const callMaxMs = 60_000

/** Starts a server, and asks for a page until it gets one. */
export async function startServer(command: Command): Promise<Running> {
  const port = String(await freePort())
  const startMs = performance.now()
  const { program, cwd, env, basePath, firstPath } = command
  const child = spawn(
    program,
    command.args.map((one) => one.replace('PORT', port)),
    { cwd, env: { ...process.env, NO_COLOR: '1', ...env } },
  )
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const requireRunning = () => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (!hasEnded && performance.now() - startMs < readyMaxMs) return
    child.kill('SIGKILL')
    throw new Error(`${program} ${command.args.join(' ')} does not start:\n${output}`)
  }
  let key = command.key
  while (key === undefined) {
    requireRunning()
    await sleep(pauseMs)
    key = readKey(output, command.keyFile)
  }
  const baseUrl = `http://127.0.0.1:${port}${basePath}`
  const ownKey = key
  const call = (one: Call) => callHttp(baseUrl, ownKey, one)
  while ((await call({ path: firstPath })).status !== 200) {
    requireRunning()
    await sleep(pauseMs)
  }
  return {
    ...{ call, key, baseUrl, pid: child.pid as number, readyMs: performance.now() - startMs },
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function readKey(output: string, keyFile?: string): string | undefined {
  if (keyFile === undefined) return /^\{"baseUrl":.*"key":"(\w+)"/m.exec(output)?.[1]
  return (existsSync(keyFile) && readFileSync(keyFile, 'utf8').trim()) || undefined
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), callMaxMs)
  await exited.finally(() => clearTimeout(timer))
}

async function callHttp(baseUrl: string, ownKey: string, call: Call): Promise<Reply> {
  const { method = 'GET', path, key = ownKey, headers, body } = call
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(callMaxMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

/** One call to a server that then stops. */
export async function callOnce(starting: Promise<Running>, call: Call): Promise<Reply> {
  await using running = await starting
  return await running.call(call)
}
