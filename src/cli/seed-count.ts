import { seedCountMax } from '../admin/seed/seed-count-max.ts'
import { usageError } from '../config/exit-error.ts'

/** Parses an option with a number of pets. Throws `usage`. */
export function readSeedCount(option: string, text: string | undefined): number {
  const count = text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : 0
  if (count < 1 || count > seedCountMax) {
    const most = seedCountMax.toLocaleString('en-US')
    throw usageError(`Say how many pets: ${option} N, from 1 to ${most}.`)
  }
  return count
}
