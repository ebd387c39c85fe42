import {
  type FailedRequest,
  PetstoreAnswerTooLargeError,
  PetstoreApiError,
  PetstoreConnectionError,
  type PetstoreError,
  PetstoreEventsExpiredError,
  PetstoreTimeoutError,
} from './errors.ts'
import { answerMaxBytes, type Lost, type Reply, readError } from './reply.ts'
import type { Failure } from './retry.ts'

/** What retries depend on. */
export function failureOf(value: Reply | Lost): Failure {
  return value.status === undefined
    ? { cause: value.cause, isTooLarge: value.isTooLarge }
    : { status: value.status, code: readError(value).code }
}

/** The error of a call that is given up. */
export function errorOf(value: Reply | Lost, known: FailedRequest): PetstoreError {
  if (value.status !== undefined) {
    const error = readError(value)
    const id = value.headers.get('x-request-id')
    const request = `${known.operation}${id === null ? '' : `, request ${id}`}`
    const message = `${value.status} ${error.code ?? ''}: ${error.message} (${request})`
    const isExpired = error.code === 'events_expired'
    const ApiError = isExpired ? PetstoreEventsExpiredError : PetstoreApiError
    return new ApiError({ ...error, message: message.replace(' :', ':') }, known)
  }
  const { cause, timeoutMs, isTooLarge } = value
  const attempts = known.attempts === 1 ? '1 attempt' : `${known.attempts} attempts`
  const after = `(${known.operation}, ${attempts})`
  if (isTooLarge) {
    const message = `The answer has more than ${answerMaxBytes} bytes, so it is not one of the service ${after}`
    return new PetstoreAnswerTooLargeError(message, known)
  }
  if (timeoutMs === undefined) {
    const message = `No answer arrived: ${reasonsOf(cause).join(': ')} ${after}`
    return new PetstoreConnectionError(message, known, { cause })
  }
  const message = `No answer arrived within ${timeoutMs} ms ${after}`
  return new PetstoreTimeoutError(message, known, { cause })
}

/** What an error says, and its causes: Node says 'fetch failed' of each, and why in its cause. */
function reasonsOf(error: unknown): string[] {
  const { message, cause } = Object(error) as { message?: string; cause?: unknown }
  return [message ?? String(error), ...(cause === undefined ? [] : reasonsOf(cause))]
}
