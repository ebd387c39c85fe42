import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../../contract/service-error.ts'
import { type Observers, observationOf } from '../observe.ts'
import { wholeResponse } from '../response/send-error.ts'
import {
  type Connection,
  connectionOf,
  endPolitely,
  isReceiving,
  refuseFurther,
} from './connection.ts'
import { STATUS_CODES } from './node-http.ts'

const hostPattern = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~!$&'()*+;=%-]+)(?::\d{0,5})?$/

/** RFC 9110, section 10.1.1: the only expectation, possibly repeated. */
const continuePattern = /^100-continue(?:[ \t]*,[ \t]*100-continue)*$/i

/**
 * Refuses what Node accepts: another version of HTTP, a target with a fragment, an invalid Host (RFC 9112, section
 * 3.2), an unknown expectation, an unknown Transfer-Encoding. If the target is an absolute URL, its host replaces
 * `Host` (section 3.2.2). Throws `invalid_request`.
 */
export function checkReadable(request: IncomingMessage & { originalUrl?: string }): void {
  const { headers, httpVersion, url, originalUrl = url } = request
  const { host, expect, 'transfer-encoding': coding } = headers
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw unreadable(`This is not a request of HTTP/1.1, but of ${httpVersion}.`, closing)
  }
  if (url?.includes('#')) {
    throw unreadable('The address that is asked for must not contain #; write it as %23.')
  }
  if (host === undefined) {
    if (httpVersion !== '1.0') throw unreadable('The Host header is missing; HTTP/1.1 requires it.')
  } else if (!namesHost(host)) {
    throw unreadable(`The header Host must name one host; received ${JSON.stringify(host)}.`)
  }
  if (originalUrl !== url) {
    const authority = authorityOf(originalUrl)
    if (!namesHost(authority)) {
      throw unreadable(
        `The address that is asked for must name one host; it names ${JSON.stringify(authority)}.`,
      )
    }
    headers.host = authority
  }
  if (expect !== undefined && httpVersion !== '1.0' && !continuePattern.test(expect)) {
    throw unreadable(
      `The expectation ${JSON.stringify(expect)} cannot be met; only 100-continue can.`,
      closing,
    )
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw unreadable(
      `The only Transfer-Encoding that is read is chunked; received ${JSON.stringify(coding)}.`,
      closing,
    )
  }
}

let lastHost: string | undefined

/** Consecutive requests mostly have the same host. */
function namesHost(host: string): boolean {
  if (host === lastHost) return true
  if (!hostPattern.test(host) || !URL.canParse(`http://${host}`)) return false
  lastHost = host
  return true
}

const closing = { connection: 'close' }

function unreadable(message: string, headers: Record<string, string> = {}): ServiceError {
  return new ServiceError('invalid_request', message, { headers })
}

/** Scheme and host of an absolute URL. */
const addressStart = /^https?:\/\/([^/?#]*)/i

/** RFC 9112, section 3.2.2: the target may be an absolute URL; only its path and query are routed. */
export function originForm({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const match = addressStart.exec(url)
  if (!match) return url
  const rest = url.slice(match[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function authorityOf(url: string | undefined): string {
  return addressStart.exec(url ?? '')?.[1] ?? ''
}

/**
 * Responds to bytes that cannot be parsed as a request, with the standard error body: after all earlier responses of
 * the connection, and as its last. `allowedMethods` are those of all paths.
 */
export function handleProtocolErrors(
  server: Server,
  nextRequestId: () => string,
  allowedMethods: () => string[],
  observers: Observers | undefined,
): void {
  const refused = new WeakSet<Duplex>()
  // A client that ended its side after its last request still wants the response.
  Object.assign(server, { httpAllowHalfOpen: true })

  /** `isHead`: the request is a HEAD, as far as known; its response has no body. */
  function refuse(socket: Duplex, error: ServiceError, isHead = false): void {
    if (refused.has(socket)) return
    refused.add(socket)
    const responses = refuseFurther(connectionOf(socket))
    // The request that contains the error, unless the error is behind all requests.
    const own = responses.find(({ req }) => !req.complete)
    const isStarted = own?.headersSent === true
    const last = isStarted ? own : responses.filter((response) => response !== own).at(-1)
    const hasBody = !(own ? own.req.method === 'HEAD' : isHead)
    const respond = () => {
      if (isStarted) return endPolitely(socket)
      const observation = own && observationOf(own)
      const requestId = observation?.id ?? nextRequestId()
      if (observation) observation.refuse(error)
      else observers?.refuse(requestId, socket, error)
      endPolitely(socket, rawResponse(error, { requestId, hasBody }))
    }
    if (!last || last.writableFinished) respond()
    else last.once('finish', respond)
  }

  server.on('clientError', (error: ParseError, socket: Duplex) => {
    if (error.code === 'HPE_PAUSED') {
      connectionOf(socket).unparsed = error.rawPacket?.subarray(error.bytesParsed)
    } else if (error.code === requestTimeoutCode && isReceiving(connectionOf(socket))) {
      // Node's timeout counts from the start of a request; that of a streamed body is in `findStalled`.
      return
    } else if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, errorOf(error), isHeadBroken(error))
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node removes its listeners here; without one, a reset would end the process.
    socket.on('error', () => socket.destroy())
    const headers = { allow: allowedMethods().join(', ') }
    const message = 'CONNECT is not supported: this is not a proxy.'
    refuse(socket, new ServiceError('method_not_allowed', message, { headers }))
  })
}

const requestTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Responds 408 to a request whose body has stalled. */
export function timeOutRequest(connection: Connection): void {
  connection.receiving = undefined
  const error = new Error('The request has stalled.')
  const { server, socket } = connection
  server.emit('clientError', Object.assign(error, { code: requestTimeoutCode }), socket)
}

type ParseError = NodeJS.ErrnoException & {
  reason?: string
  /** The last packet; it need not begin with the request. */
  rawPacket?: Buffer
  /** The position of the error in it. */
  bytesParsed?: number
}

/** Whether the request that could not be parsed is a HEAD that begins in the last packet, first or behind a header block. */
function isHeadBroken({ rawPacket, bytesParsed }: ParseError): boolean {
  const parsed = rawPacket?.toString('latin1', 0, bytesParsed) ?? ''
  const blockEnd = parsed.lastIndexOf('\r\n\r\n')
  return /^[\r\n]*HEAD /.test(blockEnd === -1 ? parsed : parsed.slice(blockEnd + 4))
}

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

function rawResponse(
  error: ServiceError,
  { requestId, hasBody }: { requestId: string; hasBody: boolean },
): string {
  const { status, headers, body } = wholeResponse(error, requestId)
  const own = { ...headers, date: new Date().toUTCString(), connection: 'close' }
  const head = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${hasBody ? body : ''}`
}
