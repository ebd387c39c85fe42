/** How the executable ends: the numbers of sysexits.h where they fit, then our own. `docs/guides/operating.md` lists them. */
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

/** Ends the executable with a sentence that says what is wrong and where, and with its own exit code. */
export class ExitError extends Error {
  readonly reason: ExitReason

  constructor(reason: ExitReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ExitError'
    this.reason = reason
  }
}
