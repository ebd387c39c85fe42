/** Exit codes: those of sysexits.h where they fit, then our own. `docs/guides/operating.md` lists them. */
export const exitCodes = {
  usage: 64,
  damaged: 65,
  addressInUse: 69,
  unexpected: 70,
  missingDirectory: 73,
  ioError: 74,
  alreadyServed: 75,
  newerSchema: 76,
  noPermission: 77,
  configuration: 78,
  finding: 79,
} as const

type ExitReason = keyof typeof exitCodes

/** Ends the executable with this sentence on standard error and this exit code. */
export class ExitError extends Error {
  readonly reason: ExitReason

  constructor(reason: ExitReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ExitError'
    this.reason = reason
  }
}
