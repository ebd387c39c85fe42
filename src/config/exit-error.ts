/** Exit codes: those of sysexits.h where they fit, then our own. `docs/operations/health.md` lists them. */
export const exitCodes = {
  usage: 64,
  damaged: 65,
  notFound: 66,
  unreachable: 68,
  addressInUse: 69,
  unexpected: 70,
  missingDirectory: 73,
  ioError: 74,
  alreadyServed: 75,
  newerSchema: 76,
  noPermission: 77,
  configuration: 78,
  finding: 79,
  nodeTooOld: 80,
  // The launcher ends with 81 where packages cannot be installed.
  refused: 83,
  unknownOutcome: 84,
} as const

export type ExitReason = keyof typeof exitCodes

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
