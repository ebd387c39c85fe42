import { styleText } from 'node:util'
import {
  type ApplicationText,
  buildApplication,
  type RouteMap,
  run,
  type StricliIntegration,
  text_en,
  version,
} from '@stricli/core'
import { versionOf } from '../version.ts'
import { root } from './commands.ts'
import { type CliContext, pages } from './define-command.ts'
import { exitCodes } from './exit-codes.ts'
import { formatHelp } from './help.ts'
import {
  describeFailure,
  describeParseError,
  describeUnknownCommand,
  exitCodeOf,
} from './messages.ts'

/** Runs one command and returns its exit code; errors are printed on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders()
  if (args.length === 0) {
    process.stderr.write(`No command was given.\n\n${helpOf(['petstore'], process.stderr)}`)
    return exitCodes.usage
  }
  const inputs = withoutHelpCommand(args)
  const words = wordsOf(inputs)
  const problem = problemWith(args, words)
  if (problem !== undefined) {
    process.stderr.write(`${styleText('red', problem, { stream: process.stderr })}\n`)
    return exitCodes.usage
  }
  const ended: CliContext['process'] & { exitCode?: number } = {
    stdout: process.stdout,
    stderr: process.stderr,
  }
  await run(applicationFor(words), inputs, { process: ended })
  return exitCodeFrom(ended.exitCode ?? 0)
}

/** `petstore help serve` is `petstore serve --help`. */
function withoutHelpCommand([command, ...words]: readonly string[]): string[] {
  return command === 'help' ? [...words, '--help'] : [command ?? '', ...words]
}

/** What the library would let pass: a group without a command, and `help` of more than a command. */
function problemWith(args: readonly string[], words: readonly string[]): string | undefined {
  const target = targetOf(words)
  if (words.length === args.length + 1 && isGroup(target)) {
    const names = namesIn(target).map((name) => `${words.slice(1).join(' ')} ${name}`)
    return `Say which: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}. See ${words.join(' ')} --help.`
  }
  const rest = args[0] === 'help' && !isGroup(target) ? args[words.length] : undefined
  return rest === undefined ? undefined : describeUnknownCommand(rest, [], words.join(' '))
}

/** The reader of standard output may close it, and a terminal may be gone; the service continues. */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
  }
}

/** `petstore`, and the words that name a command or a group. */
function wordsOf(inputs: readonly string[]): string[] {
  let target: unknown = root
  const words = ['petstore']
  for (const input of inputs) {
    target = isGroup(target) ? target.getRoutingTargetForInput(input) : undefined
    if (target === undefined) break
    words.push(input)
  }
  return words
}

/** What these words name, the first of which is the program's. */
function targetOf([, ...words]: readonly string[]) {
  return words.reduce<ReturnType<typeof root.getRoutingTargetForInput>>(
    (found, word) => (isGroup(found) ? found.getRoutingTargetForInput(word) : found),
    root,
  )
}

/** The commands of a group, or the options of a command. */
function namesIn(target: ReturnType<typeof targetOf>): string[] {
  if (target === undefined) return []
  if (isGroup(target)) return target.getAllEntries().map(({ name }) => name.original)
  return Object.keys(target.parameters.flags ?? {})
}

function isGroup(target: unknown): target is RouteMap<CliContext> {
  return typeof target === 'object' && target !== null && 'getAllEntries' in target
}

/** Negative codes are those of the library: arguments that it refused, or what it could not load. */
function exitCodeFrom(code: number): number {
  if (code >= 0) return code
  return code === -4 || code === -5 ? exitCodes.usage : exitCodes.unexpected
}

function applicationFor(words: readonly string[]) {
  return buildApplication<CliContext>(
    root,
    {
      name: 'petstore',
      scanner: { caseStyle: 'original' },
      localization: { text: textFor(words) },
      determineExitCode: exitCodeOf,
    },
    {
      help: showHelp,
      version: version({
        info: { getCurrentVersion: async () => versionOf() },
        brief: 'print the version',
        alias: 'v',
      }),
    },
  )
}

function textFor(words: readonly string[]): ApplicationText {
  const command = words.join(' ')
  const describe = (error: unknown) => describeFailure(error, command)
  return {
    ...text_en,
    exceptionWhileParsingArguments: (error) =>
      describeParseError(error, command, namesIn(targetOf(words))),
    noCommandRegisteredForInput: ({ input }) =>
      describeUnknownCommand(input, namesIn(targetOf(words)), command),
    exceptionWhileRunningCommand: describe,
    exceptionWhileLoadingCommandFunction: describe,
  }
}

const showHelp: StricliIntegration<CliContext> = {
  flag: {
    brief: 'show the page of a command',
    aliases: ['h'],
    global: true,
    defaultForRouteMap: true,
    run(_app, { result }) {
      process.stdout.write(helpOf(result.prefix, process.stdout))
    },
  },
}

/** The page of what these words name. */
function helpOf(words: readonly string[], stream: NodeJS.WriteStream): string {
  const target = targetOf(words)
  const page = pages.get(target)
  if (target === undefined || page === undefined) throw new Error(`${words.join(' ')} has no page`)
  return formatHelp(words, target, page, (text) => styleText('bold', text, { stream }))
}
