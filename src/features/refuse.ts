import type { ErrorCode } from '../contract/error-codes.ts'
import { Refusal } from '../db/errors.ts'

/** A refusal with one of the codes that clients know, to be thrown by a verb or its transaction. */
export function refusal(code: ErrorCode, message: string): Refusal {
  return new Refusal(code, message)
}
