import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { childrenOf } from '../../bench/harness/processor-time.ts'
import { until } from '../harness/until.ts'
import { spawnCommand } from './command.ts'
import { readFirstKey, repositoryRoot } from './process.ts'

type LogLine = Record<string, unknown> & { pid: number; level: number; msg: string }

/** Starts `petstore serve --processes`, which logs to a pipe. Settings have a `PETSTORE_FIRST_KEY_FILE`. */
export async function startSupervised(
  t: Pick<TestContext, 'after'>,
  env: Record<string, string>,
  { count = 2, root = repositoryRoot } = {},
) {
  const serve = [join(root, 'bin/petstore.js'), 'serve', '--processes', String(count)]
  const command = spawnCommand(t as TestContext, [process.execPath, ...serve], { env })
  const { pid } = command
  /** The whole lines that were logged so far. Throws where one is not JSON. */
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
    key: readFirstKey(env),
    lines,
    /** Resolves once so many lines have the message. */
    async untilLogged(message: RegExp, count: number) {
      const found = () => lines().filter(({ msg }) => message.test(msg))
      await until(() => found().length >= count)
      return found()
    },
    processIds: () => childrenOf(pid),
    signal: (signal: NodeJS.Signals) => process.kill(pid, signal),
    /** SIGTERM; resolves with the exit code. */
    stop: async () => (await command.stop()).code,
  }
}
