import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCodes, errorKindOf } from '../../contract/error-codes.ts'
import { maskKeys } from '../../contract/key-text.ts'
import { bodySizeMaxBytes } from '../../contract/operation.ts'
import { type Problem, ServiceError } from '../../contract/service-error.ts'
import { sheetTypes } from '../../contract/sheets.ts'
import { Refusal, Unavailable } from '../../db/errors.ts'
import { challengeFor, scopesHeader } from '../authenticate.ts'
import { observationOf } from '../observe.ts'
import { prefersProblem, prefersType, problemType } from '../request/accept.ts'
import { bodyTooLarge } from '../request/body.ts'

/** The flat body of the interface (1.0.0, section 7): exactly these members. Clients log errors, so keys are masked. */
function errorBody(code: ErrorCode, message: string): string {
  return maskKeys(JSON.stringify({ code, message, status: errorCodes[code].status }))
}

/** The status, the headers and the body of an error that no route sends. */
export function wholeResponse({ code, message, headers }: ServiceError, requestId: string) {
  const { status, retryAfterSeconds } = errorKindOf(code)
  const body = errorBody(code, message)
  return {
    status,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(retryAfterSeconds && { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
  }
}

/** RFC 9457. */
function problemBody(code: ErrorCode, message: string, problems: readonly Problem[]): string {
  const { status, title } = errorCodes[code]
  const type = `urn:petstore:error:${code}`
  const errors = problems.length > 0 ? { errors: problems } : {}
  return maskKeys(JSON.stringify({ type, title, status, detail: message, code, ...errors }))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.send(prepareError(asServiceError(error, request), request, reply))
}

/** Sets the status and the headers of an error, and returns its body. */
export function prepareError(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const { code, message, problems, headers } = error
  observationOf(reply.raw)?.fail(error)
  const { status, retryAfterSeconds } = errorKindOf(code)
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  const { accept } = request.headers
  const isProblem = prefersProblem(accept)
  reply
    .code(status)
    .headers(challengeFor(code, message))
    .headers(headers)
    .type(isProblem ? problemType : 'application/json; charset=utf-8')
  if (error.rows && prefersType(accept, sheetTypes.csv)) {
    reply.type(sheetTypes.csv)
    return error.rows()
  }
  return isProblem ? problemBody(code, message, problems) : errorBody(code, message)
}

function asServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof Refusal) {
    const code = error.code as ErrorCode
    const isForbidden = code === 'insufficient_scope' && request.caller
    return new ServiceError(code, error.message, {
      headers: isForbidden ? scopesHeader(isForbidden) : {},
    })
  }
  if (error instanceof Unavailable) {
    return new ServiceError('unavailable', error.message, { cause: error.cause })
  }
  switch ((error as { code?: unknown } | undefined)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit ?? bodySizeMaxBytes)
    case 'FST_ERR_BAD_URL':
      return new ServiceError('invalid_request', 'The path is not valid percent-encoded UTF-8.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new ServiceError('invalid_request', 'The body is shorter than its Content-Length.')
    default:
      return new ServiceError(
        'internal_error',
        'The service failed. Quote the request id to the operator of the store.',
        {
          cause: error,
        },
      )
  }
}
