import { OpenError } from '../errors.ts'
import { type PostgresAddress, parseAddress } from './address.ts'

/** As `parseAddress`. Throws `configuration`. */
export function readAddress(text: string): PostgresAddress {
  try {
    return parseAddress(text)
  } catch (error) {
    const allowed = error instanceof Error ? error.message : String(error)
    throw new OpenError('configuration', `PETSTORE_DATABASE must be ${allowed}.`, error)
  }
}
