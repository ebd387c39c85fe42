import { existsSync } from 'node:fs'
import { OpenError } from '../errors.ts'

/** The name of a recovered store until it has its place. */
export const recoveredEnding = '.recovered'

/** Throws `damaged` while a recovery is being put in place, or was interrupted then. */
export function refuseHalfRecovered(path: string): void {
  if (!existsSync(path + recoveredEnding)) return
  throw new OpenError(
    'damaged',
    `The recovery of ${path} was interrupted before ${path}${recoveredEnding} had its place. Run petstore recover, which completes it.`,
  )
}
