import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchService, settingsFor, whenThisProcessIsGone } from '../../test/support/process.ts'
import { median } from '../statistics.ts'

const startsPerRound = 3
const pollMs = 1
const bareProgram = join(import.meta.dirname, '../contenders/bare-fastify.ts')

export type Store = { directory: string; key: string }

/** From the start of the process to its first 200, in milliseconds: the median of some starts of each, in turn. */
export async function timeStarts(store: Store): Promise<Record<string, number>> {
  const ours: number[] = []
  const bare: number[] = []
  for (let count = 0; count < startsPerRound; count++) {
    ours.push(await timeOurs(store))
    bare.push(await timeBare())
  }
  return { ours: median(ours), 'bare Fastify': median(bare) }
}

async function timeOurs({ directory, key }: Store): Promise<number> {
  const port = await freePort()
  const startMs = performance.now()
  await using launch = launchService({
    env: { ...settingsFor(directory), PETSTORE_PORT: String(port) },
  })
  const ended = launch.exited.then(({ stderr }) => stderr)
  await untilIt200s(port, key, ended)
  const spentMs = performance.now() - startMs
  await launch.stop()
  return spentMs
}

async function timeBare(): Promise<number> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(process.execPath, [bareProgram], {
    env: { ...process.env, BENCH_PORT: String(port) },
    stdio: 'ignore',
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('exit', () => resolve('a bare Fastify'))
  try {
    await untilIt200s(port, '', ended)
    return performance.now() - startMs
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

async function untilIt200s(port: number, key: string, ended: Promise<string>): Promise<void> {
  let isOver = false
  const failing = ended.then((reason) => {
    isOver = true
    throw new Error(`It ended before its first 200: ${reason}`)
  })
  failing.catch(() => undefined)
  const polling = async () => {
    while (!isOver && (await statusOf(port, key)) !== 200) await sleep(pollMs)
  }
  await Promise.race([polling(), failing])
}

function statusOf(port: number, key: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get(
      { port, host: '127.0.0.1', path: '/v1/pets', headers, agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    request.once('error', () => resolve(undefined))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
