import type { ErrorCode } from './error-codes.ts'
import { ExpectedError } from './expected-error.ts'
import { firstProblems, type Problem } from './problem.ts'

export type { Problem } from './problem.ts'

/** An error for clients: a code for programs, a sentence for people, a cause for the log. */
export class ServiceError extends ExpectedError {
  readonly code: ErrorCode
  /** The first, as many as a response names. */
  readonly problems: readonly Problem[]
  readonly headers: Readonly<Record<string, string>>
  /** The rows of a refused file, as CSV with what is wrong with each. */
  readonly rows: (() => string) | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      problems?: readonly Problem[]
      headers?: Readonly<Record<string, string>>
      cause?: unknown
      rows?: () => string
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'ServiceError'
    this.code = code
    this.problems = firstProblems(more.problems ?? [])
    this.headers = more.headers ?? {}
    this.rows = more.rows
  }
}
