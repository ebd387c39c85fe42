import { ExitError, exitCodes } from '../../config/exit-error.ts'
import { OpenError, Refusal, Unavailable } from '../../db/errors.ts'
import { printable } from '../../telemetry/escape.ts'

/** What ended a command, for people: one line, unless it is a defect of the program. */
export function describeFailure(error: unknown, command: string): string {
  if (isFolderGone(error)) {
    return 'The current folder was deleted or moved. Change to another one, and run the command again.'
  }
  if (error instanceof ExitError && error.reason === 'usage') {
    return `${error.message} See ${command} --help.`
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
