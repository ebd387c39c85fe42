import type { ExitReason } from '../config/exit-error.ts'

/** Exit codes: those of sysexits.h where they fit, then our own. `docs/operations/exit-codes.md` lists them. */
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
  // The launcher has 80 to 82.
  refused: 83,
  unknownOutcome: 84,
} as const satisfies Record<ExitReason, number> & Record<string, number>
