import { isWithin } from './damaged-row.ts'

/** The first instant that a clock can be started at, 0000-01-01T00:00:00Z, in milliseconds since 1970. */
export const instantMin = -62_167_219_200_000

/** The maximum time value of a Date, in milliseconds since 1970 (ECMA-262). */
const instantMax = 8_640_000_000_000_000

/** Whether a record can have this date. */
export function isInstant(ms: unknown): boolean {
  return isWithin(ms, BigInt(instantMin), BigInt(instantMax))
}

/** The milliseconds since 1970 of an instant as clients read it; undefined where there is none. */
export function msOf(instant: string | undefined): number | undefined {
  return instant === undefined ? undefined : Date.parse(instant)
}

/** An instant as clients read it; undefined where there is none. */
export function isoOf(ms: bigint | number): string
export function isoOf(ms: bigint | number | null | undefined): string | undefined
export function isoOf(ms: bigint | number | null | undefined): string | undefined {
  return ms === null || ms === undefined ? undefined : new Date(Number(ms)).toISOString()
}
