import type { ErrorCode } from './error-codes.ts'

/** One thing wrong with a request: where (an RFC 6901 pointer into the body, or a parameter), and what. */
export type Problem = { pointer?: string; parameter?: string; detail: string }

/** What a caller is told: a code for machines, a sentence for people, a cause for us. */
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
    super(message, { cause: more.cause })
    this.name = 'ServiceError'
    this.code = code
    this.problems = more.problems ?? []
    this.headers = more.headers ?? {}
  }
}
