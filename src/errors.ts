/**
 * The closed list of error codes (interface 1.0.0, section 7, leaves it open).
 * `docs/errors.md` explains each; a code is never renamed and never reused.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: 'The request cannot be read' },
  invalid_json: { status: 400, title: 'The body is not JSON' },
  invalid_body: { status: 400, title: 'The body is not what the operation takes' },
  invalid_parameter: { status: 400, title: 'A parameter is not what the operation takes' },
  invalid_cursor: { status: 400, title: 'The cursor does not belong to this list' },
  missing_api_key: { status: 401, title: 'No API key was sent' },
  invalid_api_key: { status: 401, title: 'The API key is not known' },
  expired_api_key: { status: 401, title: 'The API key has expired' },
  revoked_api_key: { status: 401, title: 'The API key was revoked' },
  insufficient_scope: { status: 403, title: 'The API key does not cover this operation' },
  not_found: { status: 404, title: 'The resource could not be found' },
  method_not_allowed: { status: 405, title: 'The resource does not have this method' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  operation_removed: { status: 410, title: 'The operation was removed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body has a media type that is not read' },
  headers_too_large: { status: 431, title: 'The header block is too large' },
  internal_error: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service cannot do this now' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorCodes

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
