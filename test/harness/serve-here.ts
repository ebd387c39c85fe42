import assert from 'node:assert/strict'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/config/config.ts'
import { readFirstKey } from '../processes/process.ts'

/** Serves a store on a port as a process with these settings would, in this process: what needs no signal or exit code. */
export async function serveHere(
  env: Record<string, string>,
  { seedCount }: { seedCount?: number } = {},
) {
  const log: string[] = []
  const service = await startService({
    config: loadConfig({}, env).config,
    seedCount,
    logStream: { write: (line) => log.push(line) },
    showsKey: true,
    onLost: assert.fail,
  })
  return {
    ...service,
    /** The lines of its log. */
    log,
    /** The first key of the store. */
    get key() {
      return readFirstKey(env)
    },
    [Symbol.asyncDispose]: () => service.stop(),
  }
}
