import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { environmentWith } from '../config/config.ts'
import { stringifyJson } from '../contract/int64-json.ts'
import type { PetstoreOptions, Started } from './petstore.ts'

/** Starts a store in a child process, which ends with this one. `executable` is the path of `bin/petstore`. */
export async function startChild(executable: string, options: PetstoreOptions): Promise<Started> {
  const { now, firstId, seed, fixture, orderHoldMs, strict } = options
  const args = ['serve', '--ephemeral', '--port', '0', '--json']
  if (now !== undefined) args.push('--now', now)
  if (seed !== undefined) args.push('--seed', String(seed))
  if (firstId !== undefined) args.push('--first-id', String(firstId))
  if (fixture !== undefined) args.push('--fixture', '-')
  if (strict) args.push('--strict')
  // The channel closes when this process ends. The child gets no settings of this process.
  const child = spawn(nodePath(), [executable, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: environmentWith({
      PETSTORE_LOG_LEVEL: 'fatal',
      ...(orderHoldMs === undefined ? {} : { PETSTORE_ORDER_HOLD_MS: String(orderHoldMs) }),
    }),
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
    process.stderr.write(text)
  })
  // A child that ends at once explains it on standard error.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(fixture === undefined ? '' : stringifyJson(fixture))
  const exited = once(child, 'close').catch(explainStart)
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const [line] = await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) =>
      Promise.reject(
        new Error(errors.trim() || `The store ended with exit code ${code} before it was ready.`),
      ),
    ),
  ])
  // A test that forgets to close its store ends all the same, and the store with it.
  child.unref()
  // That of Bun does not keep a run from ending.
  ;(child.channel as Partial<typeof child.channel>)?.unref?.()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref()
  return {
    ...(JSON.parse(line as string) as { baseUrl: string; key: string }),
    async close() {
      child.ref()
      child.kill('SIGTERM')
      await exited
    },
  }
}

function explainStart(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new Error('The store runs in Node.js, and there is no node on the PATH.', { cause: error })
}

/** Other runtimes cannot run the program, so they take the Node of the PATH. */
function nodePath(): string {
  const { bun, deno } = process.versions
  return bun === undefined && deno === undefined ? process.execPath : 'node'
}
