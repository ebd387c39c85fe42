/** The last instant that a date can be, in milliseconds since 1970 (ECMA-262, time values). */
export const instantMax = 8_640_000_000_000_000

/** Whether a date can be made of this. */
export function isInstant(ms: bigint): boolean {
  return ms >= 0n && ms <= BigInt(instantMax)
}
