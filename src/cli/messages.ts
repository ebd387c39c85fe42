import { formatMessageForArgumentScannerError } from '@stricli/core'
import { ExitError } from '../config/exit-error.ts'
import { OpenError, Refusal, Unavailable } from '../db/errors.ts'
import { nearestName } from '../nearest-name.ts'
import { printable } from '../telemetry/escape.ts'
import { exitCodes } from './exit-codes.ts'

/** The most characters of an argument that a message repeats. */
const shownMax = 100

/** What is wrong with the arguments of a command, in one line. */
export function describeParseError(
  error: unknown,
  command: string,
  options: readonly string[],
): string {
  if (!(error instanceof Error)) return String(error)
  const message = formatMessageForArgumentScannerError(
    error as Parameters<typeof formatMessageForArgumentScannerError>[0],
    {
      FlagNotFoundError: ({ input }) =>
        `There is no option --${shown(input)}${suggestion(input, options, '--')}.`,
      AliasNotFoundError: ({ input }) => `There is no option -${shown(input)}.`,
      UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} needs a value.`,
      UnexpectedFlagError: ({ externalFlagName, previousInput, input }) =>
        `--${externalFlagName} is given twice: ${shown(previousInput)} and ${shown(input)}.`,
      ArgumentParseError: ({ externalFlagNameOrPlaceholder, input }) =>
        `--${externalFlagNameOrPlaceholder} takes no value; received ${quoted(input)}.`,
      UnexpectedPositionalError: ({ expectedCount, input }) =>
        describeUnexpected(command, expectedCount, input),
    },
  )
  return withPage(message, command)
}

function describeUnexpected(command: string, expectedCount: number, input: string): string {
  const option = /^(--[\w-]+)=$/.exec(input)?.[1]
  if (option !== undefined) return `${option} needs a value.`
  const received = quoted(input)
  return expectedCount === 0
    ? `${command} takes no argument; received ${received}.`
    : `${command} takes one argument; received ${received} too.`
}

function shown(input: string): string {
  return printable(beginningOf(input))
}

function quoted(input: string): string {
  return printable(JSON.stringify(beginningOf(input)))
}

/** The beginning of what was typed or pasted; of an address its scheme alone, since it may have a password. */
function beginningOf(input: string): string {
  const [scheme, rest] = input.split('://', 2)
  if (rest !== undefined) return `${scheme}://…`
  return input.length > shownMax ? `${input.slice(0, shownMax)}…` : input
}

/** The message for an unknown command, with the nearest one of its group. */
export function describeUnknownCommand(
  input: string,
  commands: readonly string[],
  group: string,
): string {
  if (input.startsWith('-')) {
    return withPage(`There is no option ${shown(input)} before a command.`, group)
  }
  const before = `${group} `.replace('petstore ', '')
  const message = `There is no command ${before}${shown(input)}${suggestion(input, commands, before)}.`
  return withPage(message, group)
}

function suggestion(input: string, known: readonly string[], before: string): string {
  const nearest = nearestName(input, known)
  return nearest === undefined ? '' : `; did you mean ${before}${nearest}?`
}

function withPage(message: string, command: string): string {
  return `${message.replace(/\?\.$/, '?')} See ${command} --help.`
}

/** What ended a command, for people: one line, unless it is a defect of the program. */
export function describeFailure(error: unknown, command: string): string {
  if (isFolderGone(error)) {
    return 'The current folder was deleted or moved. Change to another one, and run the command again.'
  }
  if (error instanceof ExitError && error.reason === 'usage') {
    return withPage(error.message, command)
  }
  const isForPeople = [ExitError, OpenError, Refusal, Unavailable].some(
    (expected) => error instanceof expected,
  )
  if (isForPeople) return printableLines((error as Error).message)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A name in a message, such as that of a table, may have characters that control a terminal. */
function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** Whether a relative path could not be resolved, since there is no current folder. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}

/** The exit code of what ended a command. */
export function exitCodeOf(error: unknown): number {
  if (isFolderGone(error)) return exitCodes.missingDirectory
  if (error instanceof ExitError || error instanceof OpenError) return exitCodes[error.reason]
  if (error instanceof Unavailable) return exitCodes.ioError
  return error instanceof Refusal ? exitCodes.usage : exitCodes.unexpected
}
