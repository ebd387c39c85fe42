import { seedCountMax } from '../../admin/seed/seed-count-max.ts'
import { usageError } from '../../config/exit-error.ts'

/** The greatest id of a record. */
export const idMax = 2n ** 63n - 1n

/** The integer of an option; `undefined` where it is absent. Throws `usage` with this sentence for one out of the range. */
export function readInteger(
  text: string | undefined,
  [least, most]: readonly [bigint, bigint],
  sentence: string,
): bigint | undefined {
  if (text === undefined) return undefined
  const value = /^(?:0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value < least || value > most) throw usageError(sentence)
  return value
}

/** Like `readInteger`, with the message that most options share. */
export function readNumber(
  option: string,
  text: string | undefined,
  range: readonly [bigint, bigint],
): bigint | undefined {
  return readInteger(text, range, `${option} must be a number from ${range[0]} to ${range[1]}.`)
}

/** Parses an option with a number of pets. Throws `usage`. */
export function readSeedCount(option: string, text = ''): number {
  const most = seedCountMax.toLocaleString('en-US')
  const sentence = `Say how many pets: ${option} N, from 1 to ${most}.`
  return Number(readInteger(text, [1n, BigInt(seedCountMax)], sentence))
}
