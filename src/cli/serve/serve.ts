import { sharedSocket } from '../../app/processes/messages.ts'
import { type Config, loadConfig, processNumber } from '../../config/config.ts'
import { exitCodes, usageError } from '../../config/exit-error.ts'
import { parseInstant } from '../../contract/instant.ts'
import { OpenError } from '../../db/errors.ts'
import { isInMemory } from '../../db/open.ts'
import { inMemory } from '../../db/sqlite/connection.ts'
import { timers } from '../../timers.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readInteger, readSeedCount } from '../arguments/read-integer.ts'
import { tell } from '../text/print.ts'
import { announce } from './announce.ts'
import { endServing, logStreamOf, stopOnSignal, stopperOf } from './end-serving.ts'
import { countProcesses, serveProcesses } from './serve-processes.ts'

type Flags = FlagsOf<
  'json' | 'ephemeral' | 'strict' | 'until-stdin-ends',
  'port' | 'processes' | 'seed' | 'now' | 'first-id' | 'fixture'
>

/** After a permanent failure, waiting requests still get a response before the process exits. */
const lastResponsesMs = 100

/** `serve`: resolves with the exit code once the service has stopped. Throws `ExitError`, `OpenError` before it is ready. */
export async function serve(values: Flags): Promise<number> {
  const seedCount = values.seed === undefined ? undefined : readSeedCount('--seed', values.seed)
  const { config, warnings } = configFor(values)
  const isSupervised = processNumber() !== undefined && process.connected
  // The supervisor has told them.
  if (!isSupervised) for (const warning of warnings) tell(warning)
  const startMs = readInstant(values.now)
  const firstId = readInteger(
    values['first-id'],
    [1n, firstIdMax],
    `--first-id must be an integer from 1 to ${firstIdMax}.`,
  )
  const problem = problemWith(config, values)
  if (problem !== undefined) throw usageError(problem)
  const count = isSupervised ? undefined : countProcesses(config)
  if (count !== undefined) return serveProcesses(config, count, values)
  const fixture =
    values.fixture === undefined
      ? undefined
      : await (await import('./read-fixture-file.ts')).readFixtureFile(values.fixture)

  const ended = Promise.withResolvers<number>()
  // Imported here, since it loads the server: errors of options and settings are reported sooner.
  const { startService } = await import('../../app/service.ts')
  const { followSupervisor, ignoreSignals } = await import(
    '../../app/processes/follow-supervisor.ts'
  )
  const { openLogOutput } = await import('../../telemetry/log-output.ts')
  if (isSupervised) ignoreSignals()
  const output = openLogOutput(logStreamOf(values), { isShared: isSupervised })
  const service = await startService({
    config,
    startMs,
    firstId,
    seedCount,
    fixture,
    isStrict: values.strict,
    logStream: output,
    showsKey: values.json,
    sharedSocket: isSupervised ? sharedSocket : undefined,
    onLost(reason) {
      const { name } = config.database
      tell(`The database ${name} can no longer be served, so this process ends: ${reason}`)
      timers.setTimeout(() => ended.resolve(exitCodes.ioError), lastResponsesMs)
    },
  }).catch((error) => {
    throw withWhatRunsBeside(error, config)
  })
  const stop = stopperOf(service, ended.resolve)
  if (isSupervised) followSupervisor(service, stop)
  else {
    stopOnSignal(stop, values)
    announce(service, config, { asJson: values.json, output })
  }
  const exitCode = await ended.promise
  if (isSupervised) return endServing(exitCode, output)
  return endServing(exitCode, output, { asJson: values.json, log: service.log })
}

function configFor(values: Flags) {
  const { environment, port, processes, ephemeral } = values
  const ofMemory = ephemeral && { environment: 'staging', database: `sqlite:${inMemory}` }
  return loadConfig({ ...ofMemory, ...(environment && { environment }), port, processes })
}

/** Adds to `alreadyServed` what can be started although the database is in use. */
function withWhatRunsBeside(error: unknown, { environment }: Config): unknown {
  if (!(error instanceof OpenError) || error.reason !== 'alreadyServed') return error
  const other = environment === 'production' ? 'staging' : 'production'
  return new OpenError(
    error.reason,
    `${error.message} Beside it you can serve another database, as petstore serve --environment ${other} does, or a store in memory: petstore serve --ephemeral --port 0.`,
    error,
  )
}

function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant === undefined)
    throw usageError('--now must be an instant such as 2030-12-05T00:00:00Z.')
  return instant
}

/** Leaves room for four billion ids. */
const firstIdMax = 2n ** 63n - 2n ** 32n

/** Describes options that do not fit the store or each other. Only a store in memory, not in production, has a test bench. */
function problemWith(
  { environment, database, processes }: Config,
  values: Flags,
): string | undefined {
  const { now, 'first-id': firstId, fixture, strict } = values
  const isProduction = environment === 'production'
  if (isProduction && (now ?? firstId) !== undefined)
    return '--now and --first-id are test helpers; production refuses them. Say --environment staging, or --ephemeral.'
  if (now !== undefined && processes !== undefined)
    return '--now sets the clock of one process: leave out --processes and PETSTORE_PROCESSES.'
  if ((fixture !== undefined || strict) && (isProduction || !isInMemory(database)))
    return '--fixture and --strict are for a store in memory, of staging: add --ephemeral.'
  if (fixture === '-' && values['until-stdin-ends'])
    return '--until-stdin-ends cannot be combined with --fixture -, which reads standard input to its end: put the fixture into a file.'
  return undefined
}
