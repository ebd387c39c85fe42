/** The first instant that a clock can be started at, 0000-01-01T00:00:00Z, in milliseconds since 1970. */
export const instantMin = -62_167_219_200_000

/** The maximum time value of a Date, in milliseconds since 1970 (ECMA-262). */
export const instantMax = 8_640_000_000_000_000

/** Whether a record can have this date. */
export function isInstant(ms: bigint): boolean {
  return ms >= BigInt(instantMin) && ms <= BigInt(instantMax)
}
