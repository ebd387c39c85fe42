import type { ErrorCode } from './error-codes.ts'

/**
 * One problem of a request: its location (an RFC 6901 pointer into the body, a parameter, or a line of a file and its column)
 * and its description. Of a line, also the code.
 */
export type Problem = {
  pointer?: string
  parameter?: string
  line?: number
  column?: string
  code?: string
  detail: string
}

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
