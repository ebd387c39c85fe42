import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { timeOfDay } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type Observers, observationOf } from '../observe.ts'
import { wholeResponse } from '../response/send-error.ts'
import { type Connection, connectionOf, endAfter, endPolitely } from './connection.ts'
import { STATUS_CODES } from './node-http.ts'

/**
 * Responds to bytes that cannot be parsed as a request, with the standard error body: after all earlier responses of
 * the connection, and as its last.
 */
export function handleProtocolErrors(
  server: Server,
  nextRequestId: () => string,
  observers: Observers | undefined,
): void {
  function refuse(socket: Duplex, error: ServiceError): void {
    const connection = connectionOf(socket)
    const { last, waiting } = connection
    // The request that contains the error, unless the error is behind all requests.
    const own = last?.req.complete === false ? last : undefined
    if (own && waiting.at(-1) === own) waiting.pop()
    if (own && !own.headersSent) return void refuseRequest(connection, own, error)
    if (connection.exchange === 'ending') return
    connection.move('end')
    const end = () => {
      if (own) return endPolitely(socket)
      const requestId = nextRequestId()
      observers?.refuse(requestId, socket, error)
      endPolitely(socket, rawResponse(error, requestId))
    }
    if (!last || last.writableFinished) end()
    else last.once('finish', end)
  }

  /** Responds to a request of which no more can be read. Node sends it behind the earlier responses. */
  function refuseRequest(connection: Connection, response: ServerResponse, error: ServiceError) {
    const observation = observationOf(response)
    const { status, headers, body } = wholeResponse(error, observation?.id ?? nextRequestId())
    observation?.refuse(error)
    endAfter(connection, response)
    response.writeHead(status, headers).end(body)
    // Node forgets a request once it is answered: what reads its body would wait for ever.
    const gone = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    connection.socket.once('close', () => response.req.destroy(gone))
  }

  server.on('clientError', (error: ParseError, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // What is read while a connection ends is ignored.
    else if (socket.writable) refuse(socket, errorOf(error))
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

const requestTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Responds 408 to a request whose body is too slow. */
export function timeOutRequest({ server, socket }: Connection): void {
  const error = new Error('The body of a request is too slow.')
  server.emit('clientError', Object.assign(error, { code: requestTimeoutCode }), socket)
}

type ParseError = NodeJS.ErrnoException & { reason?: string }

function errorOf({ code, reason }: ParseError): ServiceError {
  switch (code) {
    case requestTimeoutCode:
      return new ServiceError('request_timeout', 'The request took too long to arrive.')
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        'The header block, including the request line, is larger than 16384 bytes, the maximum.',
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return unreadable('The chunk extensions of the body are too large.')
    default:
      return unreadable(`This is not an HTTP/1.1 request: ${reason ?? 'it cannot be parsed'}.`)
  }
}

function rawResponse(error: ServiceError, requestId: string): string {
  const { status, headers, body } = wholeResponse(error, requestId)
  const own = { ...headers, date: new Date(timeOfDay()).toUTCString(), connection: 'close' }
  const head = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`
}

/** The error for a request that is no valid HTTP/1.1. */
export function unreadable(message: string, headers: Record<string, string> = {}): ServiceError {
  return new ServiceError('invalid_request', message, { headers })
}
