import type { ErrorCode } from './error-codes.ts'
import type { Problem } from './problem.ts'

export type { Problem } from './problem.ts'

/**
 * An error for clients: a code for programs, a sentence for people, a cause for the log. It has no stack: capturing one is a
 * large part of the cost of a refused request.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly problems: readonly Problem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      problems?: readonly Problem[]
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, { cause: more.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ServiceError'
    this.code = code
    this.problems = more.problems ?? []
    this.headers = more.headers ?? {}
  }
}
