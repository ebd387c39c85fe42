import { ExitError } from '../config/exit-error.ts'
import { OpenError, Refusal, Unavailable } from '../db/errors.ts'
import { exitCodes } from './exit-codes.ts'

const help = `petstore: the pet store service

  petstore serve            serve the interface until SIGTERM or SIGINT
    --environment NAME        production (default) or staging
    --port N                  the port to listen on; 0 for any free one
    --json                    when ready, print one line {"baseUrl":…,"key":…}
    --ephemeral               keep everything in memory; staging unless told otherwise
    --seed N                  begin with N demo pets; with --ephemeral alone
    --now INSTANT             start the clock there, e.g. 2030-12-05T00:00:00Z (never in production)
    --first-id N              the first id of pets, categories and orders; not of keys (never in production)
  petstore keys create      issue a key; it is printed alone on standard output
    --name NAME               what the key is for
    --scope SCOPE             only this scope; repeat it for several (default: all)
    --valid-days N            let it expire after N days (default: never)
  petstore keys list        all keys, with what is known of their use
  petstore keys revoke ID   refuse a key from now on
  petstore seed             add demo pets, their categories, and orders
    --count N                 how many pets, from 1 to 10,000,000
    --seed TEXT               the same text and count give the same data (default: petstore)
    --force --force           add to a production store that is not empty
  petstore verify           check the data, also beside a running service; exit code 79 on findings
    --json                    print one JSON object with all that is found
    --repair                  show what can be repaired, and ask whether to do it
    --yes                     with --repair: do it without asking
  petstore config           the effective settings, secrets masked
  petstore help             this text

keys, seed, verify and config take --environment too. Settings come from the environment: see docs/guides/operating.md.
`

/** Runs one command and returns its exit code; errors are printed on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders()
  const [command, ...rest] = args
  try {
    // Each command is loaded on demand: loading the others would triple the time of `config`.
    switch (command) {
      case 'serve':
        return await (await import('./serve.ts')).serve(rest)
      case 'keys':
        return await (await import('./keys.ts')).keysCommand(rest)
      case 'seed':
        return await (await import('./seed.ts')).seedCommand(rest)
      case 'verify':
        return await (await import('./verify.ts')).verifyCommand(rest)
      case 'config':
        return (await import('./config.ts')).showConfig(rest)
      case 'help':
      case '--help':
      case '-h':
        process.stdout.write(help)
        return 0
      default:
        throw new ExitError(
          'usage',
          `${command === undefined ? 'No command was given' : `There is no command ${command}`}.\n\n${help}`,
        )
    }
  } catch (error) {
    return explain(error)
  }
}

/** The reader of standard output may close it; the service continues. */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

function explain(error: unknown): number {
  if (error instanceof ExitError || error instanceof OpenError) {
    process.stderr.write(`${error.message}\n`)
    return exitCodes[error.reason]
  }
  if (error instanceof Refusal || error instanceof Unavailable) {
    process.stderr.write(`${error.message}\n`)
    return error instanceof Unavailable ? exitCodes.ioError : exitCodes.usage
  }
  if (isUsage(error)) {
    process.stderr.write(`${error.message}\n\n${help}`)
    return exitCodes.usage
  }
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  return exitCodes.unexpected
}

/** The errors of `parseArgs` for unknown options and missing values. */
function isUsage(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  )
}
