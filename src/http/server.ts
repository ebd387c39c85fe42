import type { ServerOptions as HttpOptions, IncomingMessage } from 'node:http'
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Actor, Random } from '../context/context.ts'
import { bodySizeMaxBytes } from '../contract/operation.ts'
import { shown } from '../contract/problem.ts'
import { ServiceError } from '../contract/service-error.ts'
import { createCors } from './cors.ts'
import { createObservers, createRequestIds, type Observer, observationOf } from './observe.ts'
import { type Paths, pathNotFound, watchRoutes } from './paths.ts'
import { requireSlot } from './protocol/connection.ts'
import { createConnections } from './protocol/connections.ts'
import { createServer as createHttpServer } from './protocol/node-http.ts'
import { handleProtocolErrors, unreadable } from './protocol/protocol.ts'
import { prefersPage } from './request/accept.ts'
import { bodyType } from './request/body.ts'
import { dropBody } from './request/drop-body.ts'
import { noParameters, parseQueryString } from './request/query-string.ts'
import { pieceBytes } from './response/pieces.ts'
import { sendError } from './response/send-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once its key is checked. */
    caller: Actor | undefined
  }
}

/** How long a connection may be idle between two requests. */
const keepAliveMs = 72_000
/** The maximum of a request's header block, with the request line. Node's default, made explicit. */
const headersSizeMaxBytes = 16_384
/** How often timeouts are checked: a 408 comes at most this much after its timeout. */
const timeoutsCheckEveryMs = 1_000

type ServerOptions = {
  config: Config
  random: Random
  observers: readonly Observer[]
  /** Called with warnings for the operator. */
  warn(sentence: string): void
  pages: Pages
}

/** The pages for people. They have no routes: to add one for each would take as long as for all operations. */
export type Pages = {
  /** The paths of all but the front door, which is at `/`. */
  paths: readonly string[]
  /** Sends the page at a path; with `near`, the nearest paths, the page for a 404. */
  send(request: FastifyRequest, reply: FastifyReply, path: string, near?: readonly string[]): void
}

/**
 * An HTTP server that parses requests strictly and answers every error, protocol errors too, with the standard error
 * body.
 */
export function createServer({
  config,
  random,
  observers: subscribed,
  warn,
  pages,
}: ServerOptions) {
  const nextRequestId = createRequestIds(Buffer.from(random(6)).toString('hex'))
  const observers = createObservers(subscribed)
  const connections = createConnections({
    config,
    warn,
    isProbe: (request) => paths.isProbe(pathOf(originForm(request))),
  })
  const app = fastify({
    // Fastify's own logging would watch the end of every response.
    logger: false,
    bodyLimit: bodySizeMaxBytes,
    serverFactory(handle) {
      const server = createHttpServer(httpOptions(config))
      connections.attach(server, handle)
      const ownRequestId = () => nextRequestId({ headers: {} })
      handleProtocolErrors(server, ownRequestId, observers)
      return server
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: nextRequestId,
    rewriteUrl: originForm,
    routerOptions: {
      maxParamLength: Number.MAX_SAFE_INTEGER,
      // A map, for names such as __proto__; Fastify hands on whatever the parser returns.
      querystringParser: parseQuery as unknown as (text: string) => Record<string, unknown>,
    },
    frameworkErrors: (error, request, reply) =>
      sendUnhooked(error, request, reply as unknown as FastifyReply),
    clientErrorHandler: () => undefined,
    schemaController: { compilersFactory: noCompilers },
  })
  /** Where no hook runs. */
  function sendUnhooked(error: Error, request: FastifyRequest, reply: FastifyReply) {
    observers?.begin(request.id, request.raw, reply)
    addCommonHeaders(request, reply)
    sendError(error, request, reply)
  }
  const addCors = config.corsOrigins.length > 0 ? createCors(config.corsOrigins) : undefined
  const paths = watchRoutes(app, pages.paths)

  app.decorateRequest('caller')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(bodyType, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Fastify's own 404, behind ours: Node's parser also knows methods of RTSP and HTTP/2.
    if (isTooLarge(error)) dropBody(request.raw)
    if (error.code !== 'FST_ERR_NOT_FOUND') return sendError(error, request, reply)
    sendUnhooked(unreadable('The method is not one of HTTP/1.1.', closing), request, reply)
  })
  app.setNotFoundHandler((_request, reply) => reply)
  app.addHook('onClose', () => connections.close())
  app.addHook('onRequest', (request, reply, done) => {
    observers?.begin(request.id, request.raw, reply)
    addCommonHeaders(request, reply)
    if (addCors && !isCorsDenied(request, paths)) addCors(request, reply)
    try {
      requireSlot(request.raw)
      checkReadable(request.raw)
      if (request.is404) answerUnrouted(request, reply, paths, pages)
      else done()
    } catch (error) {
      done(error as Error)
    }
  })
  if (observers) {
    app.addHook('onSend', (_request, reply, payload, done) => {
      observationOf(reply.raw)?.respond(reply.statusCode)
      done(null, payload)
    })
  }
  return { app, connections }
}

function isTooLarge({ code }: { code: string }): boolean {
  return code === 'body_too_large' || code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

const parseQuery = (text: string) => (text === '' ? noParameters : parseQueryString(text))

/** Routes check and serialize by themselves, so the compilers that Fastify has by default are not loaded. */
const noCompilers = { buildValidator: refuseToCompile, buildSerializer: refuseToCompile }

function refuseToCompile(): never {
  throw new Error('A route must not give Fastify a schema.')
}

/** Also of a request whose method has no route, such as OPTIONS. */
function isCorsDenied({ is404, url, routeOptions }: FastifyRequest, paths: Paths): boolean {
  if (!is404) return routeOptions.config.operation?.deniesCors === true
  return paths.operationsOf(pathOf(url)).some((operation) => operation.deniesCors)
}

function httpOptions({ headersTimeoutMs }: Config): HttpOptions {
  return {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersTimeoutMs,
    // Of bodies `isStalled` decides, by their rate.
    requestTimeout: 0,
    highWaterMark: pieceBytes,
    connectionsCheckingInterval: timeoutsCheckEveryMs,
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    maxHeaderSize: headersSizeMaxBytes,
  }
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

/** A page, OPTIONS (204), a method that the path does not have (405), or an unknown path (404). */
function answerUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: Paths,
  pages: Pages,
): void {
  const path = pathOf(request.url)
  const isRead = ['GET', 'HEAD'].includes(request.method)
  if (isRead && (path === '/' || pages.paths.includes(path))) {
    pages.send(request, reply, path)
    return
  }
  const methods = paths.methodsOf(path)
  const isWholeServer = path === '*' // RFC 9110, section 9.3.7: for OPTIONS alone.
  if (methods.length === 0 || (isWholeServer && request.method !== 'OPTIONS')) {
    const near = paths.near(path)
    const error = pathNotFound(near, path)
    if (paths.isBelowBase(path) || !prefersPage(request)) throw error
    observationOf(reply.raw)?.fail(error)
    pages.send(request, reply, path, near)
    return
  }
  const allow = methods.join(', ')
  if (request.method === 'OPTIONS') {
    reply.code(204).header('allow', allow).send()
    return
  }
  const isReplacement = request.method === 'PUT' && methods.includes('PATCH')
  const advice = isReplacement ? ' To change a record, send PATCH with the members to change.' : ''
  throw new ServiceError(
    'method_not_allowed',
    `${request.method} is not allowed here. Allowed methods: ${allow}.${advice}`,
    { headers: { allow } },
  )
}

/** The path of a target, decoded where that is possible. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const hostPattern = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~!$&'()*+;=%-]+)(?::\d{0,5})?$/

/** RFC 9110, section 10.1.1: the only expectation, possibly repeated. */
const continuePattern = /^100-continue(?:[ \t]*,[ \t]*100-continue)*$/i

/**
 * Refuses what Node accepts: another version of HTTP, a target with a fragment, an invalid Host (RFC 9112, section
 * 3.2), an unknown expectation, an unknown Transfer-Encoding. If the target is an absolute URL, its host replaces
 * `Host` (section 3.2.2). Throws `invalid_request`.
 */
function checkReadable(request: IncomingMessage & { originalUrl?: string }): void {
  const { headers, httpVersion, url, originalUrl = url } = request
  const { host, expect, 'transfer-encoding': coding } = headers
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw unreadable(`This is not a request of HTTP/1.1, but of ${httpVersion}.`, closing)
  }
  // Routes are compared from the second character on.
  if (!url?.startsWith('/') && url !== '*') {
    throw unreadable(`A request must be for a path; this one is for ${shown(url)}.`, closing)
  }
  if (url.includes('#')) {
    throw unreadable('The address that is asked for must not contain #; write it as %23.')
  }
  if (host === undefined) {
    if (httpVersion !== '1.0') throw unreadable('The Host header is missing; HTTP/1.1 requires it.')
  } else if (!namesHost(host)) {
    throw unreadable(`The header Host must name one host; received ${shown(host)}.`)
  }
  if (originalUrl !== url) {
    const authority = authorityOf(originalUrl)
    if (!namesHost(authority)) {
      throw unreadable(
        `The address that is asked for must name one host; it names ${shown(authority)}.`,
      )
    }
    headers.host = authority
  }
  if (expect !== undefined && httpVersion !== '1.0' && !continuePattern.test(expect)) {
    throw unreadable(
      `The expectation ${shown(expect)} cannot be met; only 100-continue can.`,
      closing,
    )
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw unreadable(
      `The only Transfer-Encoding that is read is chunked; received ${shown(coding)}.`,
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

/** Scheme and host of an absolute URL. */
const addressStart = /^https?:\/\/([^/?#]*)/i

/** RFC 9112, section 3.2.2: the target may be an absolute URL; only its path and query are routed. */
function originForm({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/')) return url
  const match = addressStart.exec(url)
  if (!match) return url
  const rest = url.slice(match[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function authorityOf(url: string | undefined): string {
  return addressStart.exec(url ?? '')?.[1] ?? ''
}
