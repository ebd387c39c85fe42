import type { Problem } from '../../src/contract/problem.ts'
import type { ErrorCode } from './generated/error-codes.ts'
import type { Scope } from './generated/scopes.ts'

/** What is known of a request whose call failed. */
export type FailedRequest = {
  /** The operation, such as `createPet`. */
  operation: string
  /** How often the request was sent. */
  attempts: number
  /** The key of a POST: with it the call can be made again, and has no second effect. */
  idempotencyKey: string | undefined
  /** Whether a change may have been made nevertheless: it was sent, and no answer says what became of it. */
  isOutcomeUnknown: boolean
}

/** The base of all errors of this client. */
export class PetstoreError extends Error {
  override readonly name: string = 'PetstoreError'
  readonly operation: string
  readonly attempts: number
  readonly idempotencyKey: string | undefined
  readonly isOutcomeUnknown: boolean

  constructor(message: string, request: FailedRequest, options?: ErrorOptions) {
    super(message, options)
    this.operation = request.operation
    this.attempts = request.attempts
    this.idempotencyKey = request.idempotencyKey
    this.isOutcomeUnknown = request.isOutcomeUnknown
  }
}

/** The service, or something in front of it, answered with an error. */
export class PetstoreApiError extends PetstoreError {
  override readonly name: string = 'PetstoreApiError'
  readonly status: number
  /** The error code of the service; `undefined` where something in front of it answered. */
  readonly code: ErrorCode | (string & {}) | undefined
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined
  /** The problems with the request, at most a hundred, with a pointer or a parameter each. */
  readonly problems: readonly Problem[]
  readonly headers: Headers
  /** What the key may do; known of a 403. */
  readonly scopes: readonly Scope[] | undefined

  constructor(answer: ErrorAnswer, request: FailedRequest) {
    super(answer.message, request)
    this.status = answer.status
    this.code = answer.code
    this.requestId = answer.headers.get('x-request-id') ?? undefined
    this.problems = answer.problems
    this.headers = answer.headers
    this.scopes = answer.scopes
  }
}

/** Events behind this position are deleted: some were missed. Read the lists again, then follow from the last event. */
export class PetstoreEventsExpiredError extends PetstoreApiError {
  override readonly name = 'PetstoreEventsExpiredError'
  /** The oldest event that there is; `undefined` where there is none. */
  readonly oldestId: bigint | undefined

  constructor(answer: ErrorAnswer, request: FailedRequest) {
    super(answer, request)
    const [, id] = /oldest event is (\d+)/.exec(answer.message) ?? []
    this.oldestId = id === undefined ? undefined : BigInt(id)
  }
}

export type ErrorAnswer = {
  status: number
  code: string | undefined
  message: string
  problems: readonly Problem[]
  headers: Headers
  scopes: readonly Scope[] | undefined
}

/** No answer arrived, or it broke off: `cause` says why. */
export class PetstoreConnectionError extends PetstoreError {
  override readonly name: string = 'PetstoreConnectionError'
}

/** No answer arrived in time. */
export class PetstoreTimeoutError extends PetstoreConnectionError {
  override readonly name = 'PetstoreTimeoutError'
}

/** The answer is larger than any of the service: it was not read to its end, and the request is not repeated. */
export class PetstoreAnswerTooLargeError extends PetstoreError {
  override readonly name = 'PetstoreAnswerTooLargeError'
}

/** The client cannot send with these options: a key is missing, or is one of the other environment. */
export class PetstoreConfigurationError extends Error {
  override readonly name = 'PetstoreConfigurationError'
}
