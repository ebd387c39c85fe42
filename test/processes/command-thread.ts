import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MessagePort, parentPort, Worker } from 'node:worker_threads'

/** A command with all of its settings. `columns`: its standard output is a terminal of this width. */
type Command = {
  args: readonly string[]
  env: Record<string, string>
  stdin?: string
  columns?: number | undefined
}
type End = { code: number; stdout: string; stderr: string }

const endsMaxMs = 60_000
const pollEveryMs = 2

let worker: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * As `petstore` of `command.ts`, but in a reused worker, since a process spends most of its time loading
 * modules. One command runs at a time, and must release within a minute everything that would keep a process alive.
 * Other tests show that a real process behaves the same.
 */
export function petstoreInThread(
  args: readonly string[],
  { env = {}, stdin = '', columns }: Partial<Omit<Command, 'args'>> = {},
): Promise<End> {
  const end = last.then(async () => {
    worker ??= startWorker()
    const running = worker
    running.postMessage({ args, env, stdin, columns })
    try {
      const [end] = await once(running, 'message', { signal: AbortSignal.timeout(endsMaxMs) })
      return end as End
    } catch (error) {
      // The result of a late command must not be taken for that of the next.
      worker = undefined
      await running.terminate()
      throw error
    }
  })
  last = end.catch(() => undefined)
  return end
}

function startWorker(): Worker {
  const worker = new Worker(new URL(import.meta.url))
  worker.unref()
  return worker
}

async function runCommands(port: MessagePort) {
  const { main } = await import('../../src/cli/main.ts')
  const output = { stdout: '', stderr: '' }
  // Each command listens for the end of the process, and for errors of its output streams.
  process.setMaxListeners(0)
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].setMaxListeners(0)
    process[name].write = (text: unknown, ...rest: unknown[]) => {
      output[name] += text
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
  }
  const isHeld = () => process.getActiveResourcesInfo().length > own
  port.on('message', async ({ args, env, stdin = '', columns }: Command) => {
    for (const name of Object.keys(process.env)) {
      if (name.startsWith('PETSTORE_')) delete process.env[name]
    }
    // The profiles of whoever runs the tests are not used.
    Object.assign(process.env, { XDG_CONFIG_HOME: '/nowhere' }, env)
    Object.assign(process.stdout, { isTTY: columns !== undefined, columns })
    const value = Readable.from([Buffer.from(stdin)], { objectMode: false })
    Object.defineProperty(process, 'stdin', { value, configurable: true })
    Object.assign(output, { stdout: '', stderr: '' })
    const code = await main(args)
    while (isHeld()) await sleep(pollEveryMs, undefined, { ref: false })
    port.postMessage({ code, ...output })
  })
  const own = process.getActiveResourcesInfo().length
}

if (parentPort) await runCommands(parentPort)
