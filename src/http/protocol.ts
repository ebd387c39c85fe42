import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorCodes, ServiceError } from '../errors.ts'
import { errorBody } from './send-error.ts'

/** Which response a connection is busy with, so that an error behind it waits for its turn. */
const current = new WeakMap<Duplex, ServerResponse>()

export function noteResponse(socket: Socket, response: ServerResponse): void {
  current.set(socket, response)
}

const hostPattern = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~!$&'()*+;=%-]+)(?::\d{0,5})?$/

/** RFC 9112, section 3.2: exactly one valid Host. Throws `invalid_request`. */
export function checkHost({ headers, httpVersion }: IncomingMessage): void {
  const { host } = headers
  if (host === undefined) {
    if (httpVersion === '1.0') return
    throw new ServiceError('invalid_request', 'The header Host is missing; HTTP/1.1 demands it.')
  }
  if (!hostPattern.test(host)) {
    throw new ServiceError(
      'invalid_request',
      `The header Host must name one host; received ${JSON.stringify(host)}.`,
    )
  }
}

/** RFC 9112, section 3.2.2: a request may name the whole address; only its path and query route it. */
export function originForm({ url = '/' }: { url?: string | undefined }): string {
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)
  if (!match) return url
  const rest = match[1] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Answers what never becomes a request, with the body that every error has. */
export function handleProtocolErrors(server: Server, nextRequestId: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const response = current.get(socket)
    if (!response || response.writableFinished) return answerRaw(socket, error, nextRequestId())
    // A request before this one on the same connection is still being answered.
    if (response.headersSent || response.req.complete) {
      response.once('finish', () => answerRaw(socket, error, nextRequestId()))
      response.once('close', () => socket.destroy())
      return
    }
    answerRaw(socket, error, nextRequestId())
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const message = `The expectation ${JSON.stringify(request.headers.expect)} cannot be met; only 100-continue can.`
    const body = errorBody('invalid_request', message)
    response.writeHead(400, { ...rawHeaders(body, nextRequestId()), connection: 'close' }).end(body)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const error = new ServiceError(
      'method_not_allowed',
      'This is no proxy: CONNECT is not answered here.',
    )
    writeRaw(socket, error.code, error.message, {
      ...rawHeaders(errorBody(error.code, error.message), nextRequestId()),
      allow: 'GET, HEAD, OPTIONS, POST',
    })
  })
}

function answerRaw(socket: Duplex, error: NodeJS.ErrnoException, requestId: string): void {
  if (!socket.writable) return
  const { code, message } = describe(error)
  writeRaw(socket, code, message, rawHeaders(errorBody(code, message), requestId))
}

function describe({ code, reason }: NodeJS.ErrnoException & { reason?: string }): {
  code: ErrorCode
  message: string
} {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'request_timeout', message: 'The request took too long to arrive.' }
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: 'headers_too_large',
        message:
          'The header block, address included, is larger than 16384 bytes, the most that is read.',
      }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'body_too_large', message: 'The chunk extensions of the body are too large.' }
    default:
      return {
        code: 'invalid_request',
        message: `This is not a request of HTTP/1.1: ${reason ?? 'it cannot be parsed'}.`,
      }
  }
}

function rawHeaders(body: string, requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
}

function writeRaw(
  socket: Duplex,
  code: ErrorCode,
  message: string,
  headers: Record<string, string>,
): void {
  const { status } = errorCodes[code]
  const lines = Object.entries({ ...headers, date: new Date().toUTCString(), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${errorBody(code, message)}`)
}
