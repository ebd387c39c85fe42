import type { ErrorCode } from '../contract/error-codes.ts'
import { describeProblems } from '../contract/problem.ts'
import { type Problem, ServiceError } from '../contract/service-error.ts'
import { Refusal } from '../db/errors.ts'

/** A refusal with one of the codes that clients know, to be thrown by a verb or its transaction. */
export function refusal(code: ErrorCode, message: string): Refusal {
  return new Refusal(code, message)
}

/** The refusal of a request for a missing record. */
export function notFound(record: string, id: bigint): Refusal {
  return refusal('not_found', `There is no ${record} with the id ${id}.`)
}

/** The refusal where a pet has none of what it has one of at most, such as details. */
export function petHasNo(part: string, id: bigint): Refusal {
  return refusal('not_found', `Pet ${id} has no ${part}.`)
}

/** `invalid_body` with what the schema of a body cannot tell. */
export function invalidBody(problems: readonly Problem[]): ServiceError {
  return new ServiceError('invalid_body', describeProblems(problems), { problems })
}
