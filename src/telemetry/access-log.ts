import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import type { Actor } from '../context/context.ts'
import { errorKindOf } from '../contract/error-codes.ts'
import type { ServiceError } from '../contract/service-error.ts'
import { type Observation, type Observer, readTraceparent } from '../http/observe.ts'
import { createCounted } from './counted.ts'
import { quote } from './escape.ts'
import { type Log, type LogStream, lineStart } from './log.ts'

/** Whether the value of a query parameter is one that the contract names or describes: never a text of the client's own. */
type IsShown = (name: string, value: string) => boolean

const infoLevel = 30
const debugLevel = 20

export type RequestLogOptions = {
  config: Pick<Config, 'accessLog' | 'slowRequestMs'>
  log: Log
  isShown: IsShown
}

/** One line for each request, as far as the settings ask for it. */
export function createAccessLog(
  { config: { accessLog }, log, isShown }: RequestLogOptions,
  stream: LogStream,
): Observer {
  const isInfo = log.isLevelEnabled('info')
  const isDebug = log.isLevelEnabled('debug')
  const redactUrl = createUrlRedactor(isShown)
  const keyMember = remember((caller: Actor | undefined) =>
    caller === undefined ? '' : `,"keyId":${caller.keyId}`,
  )

  /** The level of a request's line; undefined where there is none. */
  function levelOf({ status = 0, operation }: Observation): number | undefined {
    if (accessLog === 'off') return undefined
    // Probes come every few seconds for as long as the service runs.
    const isAskedFor = accessLog === 'on' && !operation?.isProbe
    if (isInfo && (isAskedFor || status >= 400)) return infoLevel
    return isDebug ? debugLevel : undefined
  }

  function membersOf(observed: Observation): string {
    const { id, socket, request, operation, caller, status, error, isCut, trace } = observed
    const traceparent = readTraceparent(request?.headers.traceparent)
    const durationMs = Math.round(observed.totalMs * 100) / 100
    return `"requestId":"${id}"${
      request === undefined
        ? ''
        : `,"method":"${request.method}","url":${redactUrl(request.url ?? '')}`
    }${operation === undefined ? '' : `,"operation":"${operation.operationId}"`}${
      status === undefined ? '' : `,"status":${status}`
    }${error === undefined ? '' : `,"code":"${error.code}"`}${
      request === undefined ? '' : `,"durationMs":${durationMs}`
    }${keyMember(caller)}${addressMember((socket as Socket).remoteAddress)}${
      isCut ? ',"aborted":true' : ''
    }${traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`}${
      trace === undefined ? '' : `,"traceId":"${trace.traceId}","spanId":"${trace.spanId}"`
    }`
  }

  const refusals = createCounted((reason, repeated) =>
    log.warn({ reason, repeated }, `${repeated} more requests got 503 for the same reason.`),
  )

  /** A failure has its cause too. Returns false where it is only counted. */
  function logFailure(request: Observation, error: ServiceError): boolean {
    const { code, message, cause } = error
    const reason = describeCauses(cause ?? message)
    if (code === 'unavailable' && !refusals.admit(reason)) return false
    const members = JSON.parse(`{${membersOf(request)}}`)
    if (code === 'unavailable') log.warn({ ...members, reason }, message)
    else log.error({ ...members, err: cause ?? error }, message)
    return true
  }

  return {
    ended(request) {
      const { error } = request
      // A stream that breaks off has the status of its success.
      if (error && errorKindOf(error.code).status >= 500 && logFailure(request, error)) return
      const level = levelOf(request)
      if (level === undefined) return
      stream.write(`${lineStart(level)},${membersOf(request)},"msg":"request"}\n`)
    },
  }
}

/** An error with its causes, the first one last. */
function describeCauses(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message, code } = cause as NodeJS.ErrnoException
  const sentence = message || code || cause.name
  return cause.cause === undefined
    ? sentence
    : `${sentence.replace(/\.$/, '')}: ${describeCauses(cause.cause)}`
}

/** Remembers the last result: consecutive requests mostly have one key and one target. */
function remember<Value, Result>(compute: (value: Value) => Result): (value: Value) => Result {
  let last: { value: Value; result: Result } | undefined
  return (value) => {
    if (!last || last.value !== value) last = { value, result: compute(value) }
    return last.result
  }
}

/** An address of IPv4 as such, whether or not the service listens on IPv6 too. */
function addressMember(address: string | undefined): string {
  if (address === undefined) return ''
  return `,"address":"${address.startsWith('::ffff:') ? address.slice(7) : address}"`
}

/** The form of most targets. */
const plain = /^(?:\/(?:[a-z]{1,10}|v1|\d{1,19}))+$/
/** Words of paths, file names and ids. No key has this form. */
const segment = /^(?:[a-z][a-z-]{0,19}(?:\.[a-z]{1,5})?|v\d|\d{1,19}|)$/
const parameterName = /^(?!pet_)[A-Za-z][A-Za-z_-]{0,19}$/
const partsMax = 20
const hidden = '…'

/**
 * The target of a request for the log, as a JSON string: the path with its ids, the names of query parameters, and the values
 * that may be shown. All else is `…`, since it may be a key in any encoding.
 */
export function createUrlRedactor(isShown: IsShown): (url: string) => string {
  const redactOthers = remember((url: string) => quote(redactedUrl(url, isShown)))
  return (url) => (plain.test(url) ? `"${url}"` : redactOthers(url))
}

function redactedUrl(url: string, isShown: IsShown): string {
  const [path = '', ...rest] = url.split('?')
  const segments = firstOf(path.split('/')).map((text) => (segment.test(text) ? text : hidden))
  const shown = segments.join('/')
  if (rest.length === 0) return shown
  return `${shown}?${firstOf(rest.join('?').split('&'))
    .map((parameter) => shownParameter(parameter, isShown))
    .join('&')}`
}

function shownParameter(parameter: string, isShown: IsShown): string {
  const [name = '', ...values] = parameter.split('=')
  if (!parameterName.test(name)) return hidden
  if (values.length === 0) return name
  const value = values.join('=')
  return `${name}=${isShown(name, value) ? value : hidden}`
}

function firstOf(parts: readonly string[]): string[] {
  return parts.length > partsMax ? [...parts.slice(0, partsMax), hidden] : [...parts]
}
