/** `src/cli/exit-codes.ts` has the exit code of each. */
export type ExitReason =
  | 'addressInUse'
  | 'configuration'
  | 'ioError'
  | 'missingDirectory'
  | 'noPermission'
  | 'notFound'
  | 'refused'
  | 'unknownOutcome'
  | 'unreachable'
  | 'usage'

/** Ends the executable with this message on standard error and the exit code of the reason. */
export class ExitError extends Error {
  readonly reason: ExitReason

  constructor(reason: ExitReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ExitError'
    this.reason = reason
  }
}

/** The error for options and arguments that a command does not take. */
export const usageError = (message: string, cause?: unknown) =>
  new ExitError('usage', message, cause)
