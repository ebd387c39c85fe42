import { writeSync } from 'node:fs'
import type { RunningService } from '../app/service.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { usageError } from '../config/exit-error.ts'
import { parseInstant } from '../contract/instant.ts'
import { OpenError } from '../db/errors.ts'
import { isInMemory } from '../db/open.ts'
import { inMemory } from '../db/sqlite/connection.ts'
import { announce } from './announce.ts'
import { exitCodes } from './exit-codes.ts'
import { tell } from './print.ts'
import { readFixtureFile } from './read-fixture-file.ts'
import { readInteger, readSeedCount } from './read-integer.ts'

type Flags = {
  environment?: string | undefined
  port?: string | undefined
  json: boolean
  ephemeral: boolean
  seed?: string | undefined
  now?: string | undefined
  'first-id'?: string | undefined
  fixture?: string | undefined
  strict: boolean
  'until-stdin-ends': boolean
}

/** After a permanent failure, waiting requests still get a response before the process exits. */
const lastResponsesMs = 100

/** `serve`: resolves with the exit code once the service has stopped. Throws `ExitError`, `OpenError` before it is ready. */
export async function serve(values: Flags): Promise<number> {
  const seedCount = values.seed === undefined ? undefined : readSeedCount('--seed', values.seed)
  const { config, warnings } = configFor(values)
  for (const warning of warnings) tell(warning)
  const startMs = readInstant(values.now)
  const firstId = readInteger(
    values['first-id'],
    [1n, firstIdMax],
    `--first-id must be an integer from 1 to ${firstIdMax}.`,
  )
  const problem = problemWith(config, values)
  if (problem !== undefined) throw usageError(problem)
  const fixture = values.fixture === undefined ? undefined : await readFixtureFile(values.fixture)

  const ended = Promise.withResolvers<number>()
  // Imported here, since it loads the server: errors of options and settings are reported sooner.
  const { startService } = await import('../app/service.ts')
  const { openLogOutput } = await import('../telemetry/log-output.ts')
  const output = openLogOutput(values.json ? process.stderr : process.stdout)
  const service = await startService({
    config,
    startMs,
    firstId,
    seedCount,
    fixture,
    isStrict: values.strict,
    logStream: output,
    showsKey: values.json,
    onLost(reason) {
      const { name } = config.database
      tell(`The database ${name} can no longer be served, so this process ends: ${reason}`)
      setTimeout(() => ended.resolve(exitCodes.ioError), lastResponsesMs)
    },
  }).catch((error) => {
    throw withWhatRunsBeside(error, config)
  })
  stopWhenTold(service, { endsWithStdin: values['until-stdin-ends'] }, ended.resolve)
  announce(service, config, { asJson: values.json, output })
  const exitCode = await ended.promise
  await output.close()
  if (exitCode === 0 && !values.json) sayStopped(process.stdout)
  // Connections and threads must not keep the process alive.
  process.exit(exitCode)
}

/** The last line at a terminal. */
function sayStopped({ isTTY, fd }: typeof process.stdout) {
  try {
    if (isTTY) writeSync(fd, 'Stopped.\n')
  } catch {
    // The terminal is stopped, as after Ctrl+S; the end does not wait for it.
  }
}

function configFor(values: Flags) {
  const { environment, port, ephemeral } = values
  return loadConfig({
    ...(ephemeral ? { environment: 'staging', database: `sqlite:${inMemory}` } : {}),
    ...(environment === undefined ? {} : { environment }),
    ...(port === undefined ? {} : { port }),
  })
}

/** Adds to `alreadyServed` what can be started although the database is being served. */
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
function problemWith({ environment, database }: Config, values: Flags): string | undefined {
  const { now, 'first-id': firstId, fixture, strict } = values
  const isProduction = environment === 'production'
  if (isProduction && (now ?? firstId) !== undefined)
    return '--now and --first-id are test helpers; production refuses them. Say --environment staging, or --ephemeral.'
  if ((fixture !== undefined || strict) && (isProduction || !isInMemory(database)))
    return '--fixture and --strict are for a store in memory, of staging: add --ephemeral.'
  if (fixture === '-' && values['until-stdin-ends'])
    return '--until-stdin-ends cannot be combined with --fixture -, which reads standard input to its end: put the fixture into a file.'
  return undefined
}

/** Stops on SIGTERM, on SIGINT, and when the process that started this one ends. */
function stopWhenTold(
  service: RunningService,
  { endsWithStdin }: { endsWithStdin: boolean },
  end: (exitCode: number) => void,
) {
  // A second signal ends the drain at once.
  const stop = async () => {
    try {
      await service.stop()
      end(0)
    } catch (error) {
      tell(`The service did not stop cleanly: ${error instanceof Error ? error.stack : error}`)
      end(exitCodes.unexpected)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
  // The launching process may have ended during the start.
  if (process.connected === false) void stop()
  if (!endsWithStdin) return
  // A pipe ends, and a socket may fail, when the last process that can write to it has ended.
  for (const event of ['end', 'error'] as const) process.stdin.once(event, stop)
  process.stdin.resume()
}
