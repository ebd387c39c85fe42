import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorKindOf } from '../../contract/error-codes.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Observers } from '../observe.ts'
import { errorBody } from '../response/send-error.ts'

export type SendUnavailable = (
  request: IncomingMessage,
  response: ServerResponse,
  message: string,
) => void

/** Responds 503 to a request that no route has seen. */
export function createSendUnavailable({
  requestIdOf,
  observers,
}: {
  requestIdOf(request: IncomingMessage): string
  observers: Observers | undefined
}): SendUnavailable {
  const { status, retryAfterSeconds } = errorKindOf('unavailable')
  return (request, response, message) => {
    const body = errorBody('unavailable', message)
    const requestId = requestIdOf(request)
    const observation = observers?.begin(requestId, request, { raw: response, sent: true })
    observation?.fail(new ServiceError('unavailable', message))
    observation?.respond(status)
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
        'retry-after': String(retryAfterSeconds),
      })
      .end(body)
  }
}
