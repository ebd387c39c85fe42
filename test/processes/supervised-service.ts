import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { until } from '../harness/until.ts'
import { spawnCommand } from './command.ts'
import { repositoryRoot } from './process.ts'
import { childrenOf } from './processor-time.ts'

type LogLine = Record<string, unknown> & { pid: number; level: number; msg: string }

/** A supervisor and the processes that serve under it. */
type SupervisedService = {
  pid: number
  baseUrl: string
  key: string
  /** The whole lines that were logged so far. Throws where one is not JSON. */
  lines(): LogLine[]
  /** Resolves once so many lines have the message. */
  untilLogged(message: RegExp, count: number): Promise<LogLine[]>
  processIds(): number[]
  signal(signal: NodeJS.Signals): void
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts `petstore serve --processes`, which logs to a pipe. Settings have a `PETSTORE_FIRST_KEY_FILE`. */
export async function startSupervised(
  t: Pick<TestContext, 'after'>,
  env: Record<string, string>,
  { count = 2, root = repositoryRoot } = {},
): Promise<SupervisedService> {
  const serve = [join(root, 'bin/petstore.js'), 'serve', '--processes', String(count)]
  const command = spawnCommand(t as TestContext, [process.execPath, ...serve], { env })
  const pid = command.child.pid ?? 0
  const lines = (): LogLine[] =>
    command.output.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  await command.waitFor(/"msg":"The pet store is open\."\}\n/)
  const open = lines().find(({ msg }) => msg === 'The pet store is open.')
  return {
    pid,
    baseUrl: String(open?.baseUrl),
    key: readFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', 'utf8').trim(),
    lines,
    async untilLogged(message, count) {
      const found = () => lines().filter(({ msg }) => message.test(msg))
      await until(async () => {
        await new Promise((next) => setTimeout(next, 20))
        return found().length >= count
      })
      return found()
    },
    processIds: () => childrenOf(pid),
    signal: (signal) => process.kill(pid, signal),
    stop: () => command.stop(),
  }
}
