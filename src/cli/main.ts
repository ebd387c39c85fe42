import { styleText } from 'node:util'
import {
  type ApplicationText,
  buildApplication,
  type Command,
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
import { tell } from './print.ts'

/** Runs one command and returns its exit code; errors are printed on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders()
  if (args.length === 0) {
    process.stderr.write(`No command was given.\n\n${helpOf([], process.stderr)}`)
    return exitCodes.usage
  }
  const [first = '', ...others] = args
  // `petstore help serve` is `petstore serve --help`.
  const inputs = first === 'help' ? [...others, '--help'] : args
  const named = resolveCommand(inputs)
  const problem = problemWith(named, { isHelp: first === 'help' })
  if (problem !== undefined) {
    tell(styleText('red', problem, { stream: process.stderr }))
    return exitCodes.usage
  }
  const ended: CliContext['process'] & { exitCode?: number } = {
    stdout: process.stdout,
    stderr: process.stderr,
  }
  await run(applicationFor(named), inputs, { process: ended })
  return exitCodeFrom(ended.exitCode ?? 0)
}

/** What the library would let pass: a group without a command, and `help` of more than a command. */
function problemWith({ name, target, rest }: Named, { isHelp }: { isHelp: boolean }) {
  if (isGroup(target)) {
    if (rest.length > 0) return undefined
    const names = namesIn(target).map((one) => `${name} ${one}`.replace('petstore ', ''))
    return `Say which: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}. See ${name} --help.`
  }
  const [word, ...more] = rest
  return isHelp && word && more.length > 0 ? describeUnknownCommand(word, [], name) : undefined
}

/** The reader of standard output may close it, and a terminal may be gone; the service continues. */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
  }
}

/** A command or a group, its name after the program's, and the words behind it. */
type Named = {
  name: string
  target: RouteMap<CliContext> | Command<CliContext>
  rest: readonly string[]
}

function resolveCommand(inputs: readonly string[]): Named {
  let target: Named['target'] = root
  for (const [index, input] of inputs.entries()) {
    const next: Named['target'] | undefined = isGroup(target)
      ? target.getRoutingTargetForInput(input)
      : undefined
    const name = ['petstore', ...inputs.slice(0, index)].join(' ')
    if (next === undefined) return { name, target, rest: inputs.slice(index) }
    target = next
  }
  return { name: ['petstore', ...inputs].join(' '), target, rest: [] }
}

/** The commands of a group, or the options of a command. */
function namesIn(target: Named['target']): string[] {
  if (isGroup(target)) return target.getAllEntries().map(({ name }) => name.original)
  return Object.keys(target.parameters.flags ?? {})
}

function isGroup(target: Named['target']): target is RouteMap<CliContext> {
  return 'getAllEntries' in target
}

/** Negative codes are those of the library: arguments that it refused, or what it could not load. */
function exitCodeFrom(code: number): number {
  if (code >= 0) return code
  return code === -4 || code === -5 ? exitCodes.usage : exitCodes.unexpected
}

function applicationFor(named: Named) {
  return buildApplication<CliContext>(
    root,
    {
      name: 'petstore',
      scanner: { caseStyle: 'original' },
      localization: { text: textFor(named) },
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

function textFor({ name, target }: Named): ApplicationText {
  const describe = (error: unknown) => describeFailure(error, name)
  return {
    ...text_en,
    exceptionWhileParsingArguments: (error) => describeParseError(error, name, namesIn(target)),
    noCommandRegisteredForInput: ({ input }) =>
      describeUnknownCommand(input, namesIn(target), name),
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
      process.stdout.write(helpOf(result.prefix.slice(1), process.stdout))
    },
  },
}

/** The page of what these words name. */
function helpOf(words: readonly string[], stream: NodeJS.WriteStream): string {
  const { name, target } = resolveCommand(words)
  const page = pages.get(target)
  if (page === undefined) throw new Error(`${name} has no page`)
  return formatHelp(name, target, page, (text) => styleText('bold', text, { stream }))
}
