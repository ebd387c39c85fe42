import type { Config } from '../../config/config.ts'
import { ExitError, exitCodes } from '../../config/exit-error.ts'
import { announce } from './announce.ts'
import { endServing, logStreamOf, stopOnSignal, stopperOf } from './end-serving.ts'

/** How many processes a supervisor starts; undefined where there is none. Throws `configuration` for more than one on SQLite. */
export function countProcesses(config: Config): number | undefined {
  const { database, processes = 1 } = config
  if (database.engine === 'postgres') return config.processes
  if (processes === 1) return undefined
  throw new ExitError(
    'configuration',
    `A store in SQLite is served by one process, not by ${processes}. Leave out --processes and PETSTORE_PROCESSES, or move the store to PostgreSQL with petstore backup --last.`,
  )
}

/** `serve --processes`: resolves as `serve` does. */
export async function serveProcesses(
  config: Config,
  count: number,
  values: { json: boolean; 'until-stdin-ends': boolean },
): Promise<number> {
  // Remembered until the start is done.
  const started = Promise.withResolvers<{ replace(): Promise<void> }>()
  process.on('SIGHUP', () => void started.promise.then(({ replace }) => replace()))
  const { openLogOutput } = await import('../../telemetry/log-output.ts')
  const { createLog } = await import('../../telemetry/log.ts')
  const { supervise, StartFailed } = await import('../../app/processes/supervise.ts')
  const output = openLogOutput(logStreamOf(values), { isShared: true })
  const log = createLog(config, output)
  const [, path = '', ...args] = process.argv
  try {
    const supervisor = await supervise({ config, count, program: { path, args }, log })
    const ended = Promise.withResolvers<number>()
    stopOnSignal(stopperOf(supervisor, ended.resolve), values)
    announce(supervisor, config, { asJson: values.json, output })
    started.resolve(supervisor)
    return await endServing(await ended.promise, output, { asJson: values.json, log })
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error
    return endServing(error.exitCode ?? exitCodes.unexpected, output)
  }
}
