import type { FastifyReply, FastifyRequest, RouteOptions as Route } from 'fastify'
import type { Actor, RequestContext, ServiceContext } from '../context/context.ts'
import {
  alternativeOf,
  contentOf,
  isChosenByAccept,
  type Operation,
  type PathParameter,
} from '../contract/operation.ts'
import type { AnyPage } from '../db/lists/page.ts'
import { authenticate, callerOf, checkScope, type Keys, scopesHeader } from './authenticate.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { type Observation, observationOf } from './observe.ts'
import { pathNotFound } from './paths.ts'
import { markKeyed } from './protocol/connection.ts'
import { checkRate } from './rate-limit.ts'
import { preferredType, prefersType } from './request/accept.ts'
import { bodyType, compileBody, compileHeaderCheck, receivedBytes } from './request/body.ts'
import { compileHeaders, compilePathParameter, compileQuery } from './request/parameters.ts'
import { noPreferences, parsePreferences, strictApplied } from './request/preferences.ts'
import { ignoredHeader } from './request/problems.ts'
import type { QueryParameters } from './request/query-string.ts'
import { compileContext } from './request-context.ts'
import { handleInTurn, type Turns, takeShare } from './request-queue.ts'
import { readTags } from './response/entity-tag.ts'
import { compileCheckNotRemoved, compileLifecycleHeaders } from './response/lifecycle.ts'
import { compileRespond, type Responding } from './response/respond.ts'
import { addVary } from './response/stream.ts'
import type { StoredResults } from './stored-results.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent of pages. */
    operation?: Operation
    /** The address that its path is relative to. */
    base?: string
  }
}

/** What every route needs besides its operation: also the path that it is below. */
export type RouteKit = Responding &
  Turns & {
    prefix: string
    context: ServiceContext
    keys: Keys
    /** Absent where no operation is idempotent. */
    results?: StoredResults
  }

/** A verb of any operation; `implement` has checked that its input is what the operation declares. */
type AnyVerb = (context: RequestContext, input: unknown) => Promise<unknown>

/** The parsed parts of a request. Of the path the last parameter is `id`, those before it have their names. */
type Parts = {
  [parent: string]: unknown
  id?: bigint | string
  body?: unknown
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  filter?: Record<string, unknown>
  page?: AnyPage
  wantsTotal?: boolean
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
}

/** The verb of an operation, and that of its alternative. */
export type Verbs = readonly [AnyVerb, AnyVerb?]

/** Turns an operation into its routes, which run the checks in the order of the design. */
export function compileRoutes(
  operation: Operation,
  [verb, alternativeVerb]: Verbs,
  kit: RouteKit,
): Route[] {
  const { method } = operation
  const content = operation.body && contentOf(operation.body)
  const alternative = alternativeOf(operation)
  const compile = (chosen: Operation, by: AnyVerb): Handle => {
    const isNegotiated = alternative !== undefined
    return handleInTurn(chosen, kit, compileHandler(chosen, by, kit, { isNegotiated }))
  }
  const handle = compile(operation, verb)
  const route = {
    method,
    config: { operation, base: kit.prefix },
    ...(content && { bodyLimit: content.sizeMaxBytes }),
    onRequest: checksBeforeBody(operation, kit),
    handler:
      alternative && alternativeVerb
        ? chooseByAccept(alternative, handle, compile(alternative, alternativeVerb))
        : handle,
  }
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const prefixes = [kit.prefix, ...(operation.isUnversioned ? [''] : [])]
  return prefixes.map((prefix) => ({ ...route, url: `${prefix}${path}` }))
}

/** Handles a request by the alternative of its operation where its `Accept` prefers that. */
function chooseByAccept(alternative: Operation, handle: Handle, other: Handle): Handle {
  const { mediaTypes: [type = ''] = [] } = alternative
  return (request, reply) => {
    if (!prefersType(request.headers.accept, type)) return handle(request, reply)
    const observation = observationOf(reply.raw)
    if (observation) observation.operation = alternative
    other(request, reply)
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => void

/** Compiles the work of a request: the rest of it is parsed, the verb called, its result sent; then `end` is called. */
function compileHandler(
  operation: Operation,
  verb: AnyVerb,
  kit: RouteKit,
  { isNegotiated }: { isNegotiated: boolean },
) {
  const { scope } = operation
  const isPublic = scope === 'public'
  const parse = compileParse(operation)
  const inputOf = compileInput(operation)
  const contextOf = compileContext(operation, kit)
  const respond = compileRespond(operation, kit)

  return async (request: FastifyRequest, reply: FastifyReply, end?: () => void): Promise<void> => {
    try {
      observationOf(reply.raw)?.beginVerb()
      const { prefer } = request.headers
      const preferences = isPublic || !prefer ? noPreferences : parsePreferences(prefer)
      const parsed = parse(request, preferences)
      const actor = isPublic ? undefined : callerOf(request)
      const context = contextOf(request, reply, actor, parsed)
      const result = await verb(context, inputOf(parsed.parts))
      const { ignored, query } = parsed
      if (ignored.length > 0 && !isPublic) reply.header('petstore-ignored', ignoredHeader(ignored))
      if (preferences.isStrict) reply.headers(strictApplied)
      if (actor && preferences.wantsScopes) reply.headers(scopesHeader(actor))
      if (isNegotiated) addVary(reply, 'Accept')
      respond(request, reply, result, query)
    } catch (error) {
      reply.send(error)
    } finally {
      end?.()
    }
  }
}

const alwaysStrict = { isStrict: true }

/**
 * Compiles the parsing of a request: its path, its query, its headers and its body, in this order. `ignored` are unknown
 * parameters and members, `key` is the `Idempotency-Key`. It throws `not_found`, the 400 codes.
 */
function compileParse(operation: Operation) {
  const { returns, condition, idempotency, isStrict } = operation
  const readPath = compilePath(operation)
  const parseQuery = compileQuery(operation)
  const parseHeaders = operation.headers && compileHeaders(operation.headers)
  const content = operation.body && contentOf(operation.body)
  const parseBody = content?.schema && compileBody(content)
  const takesIfMatch = condition === 'If-Match'
  const isReplacement = returns === 'replaced'
  const types = isChosenByAccept(operation) ? operation.mediaTypes : undefined

  return (request: FastifyRequest, preferences: typeof noPreferences) => {
    const { headers } = request
    const parts: Parts = {}
    readPath(request, parts)
    const handling = isStrict ? alwaysStrict : preferences
    const parent = returns === 'page' ? (parts.id as bigint | undefined) : undefined
    const query = parseQuery(request.query as QueryParameters, handling, parent)
    let { ignored } = query
    if (returns === 'page') {
      parts.filter = query.filter
      parts.page = query.page
      parts.wantsTotal = preferences.countsExactly
    } else if (operation.query) parts.query = query.filter
    if (parseHeaders) parts.headers = parseHeaders(headers)
    const key =
      idempotency && 'idempotency-key' in headers ? readIdempotencyKey(request) : undefined
    if (parseBody) {
      const { body, ignored: members } = parseBody(request.body as Buffer, handling)
      parts.body = body
      if (members.length > 0) ignored = [...ignored, ...members]
    } else if (content) parts.body = receivedBytes(request, content)
    if (takesIfMatch) parts.ifMatch = readTags(headers, 'If-Match')
    if (isReplacement) parts.ifNoneMatch = readTags(headers, 'If-None-Match')
    if (types) parts.mediaType = preferredType(headers.accept, types)
    return { parts, query, ignored, key }
  }
}

/** Compiles the parameters of a path into a function that reads them. It throws `not_found`. */
function compilePath({ pathParameters = [] }: Operation) {
  const readers = pathParameters.map((parameter, index) => ({
    parameter,
    part: index === pathParameters.length - 1 ? 'id' : parameter.name,
    parse: compilePathParameter(parameter),
  }))
  return (request: FastifyRequest, parts: Parts): void => {
    for (const { parameter, part, parse } of readers)
      parts[part] = parse(pathTextOf(request, parameter))
  }
}

/** Returns the function that picks a verb's input: the only part that its operation declares, else all. */
function compileInput(operation: Operation): (parts: Parts) => unknown {
  const { pathParameters = [], body, query, headers, returns, condition } = operation
  const isWhole = condition === 'If-Match' || isChosenByAccept(operation)
  const declared = [...pathParameters, body, query].filter((part) => part !== undefined)
  if (returns === 'page' || isWhole || headers || declared.length > 1) return (parts) => parts
  if (pathParameters.length > 0) return ({ id }) => id
  return body ? ({ body }) => body : ({ query }) => query
}

/** Key, rate, scope, removal, media type and size: the checks before the body is read. */
function checksBeforeBody(operation: Operation, kit: RouteKit) {
  const { prefix, keys, context, baseUrlOf, shares } = kit
  const { pathParameters = [], lifecycle, scope } = operation
  const { deprecation } = lifecycle
  const content = operation.body && contentOf(operation.body)
  const checkHeaders = content && compileHeaderCheck(content)
  const headersFor = deprecation && compileLifecycleHeaders(deprecation)
  // Where the id is empty, the 404 suggests the list.
  const near = `${prefix}${operation.path.replace(/\/\{\w+\}$/, '')}`
  const checkNotRemoved = deprecation && compileCheckNotRemoved(deprecation)

  function checkCaller(
    caller: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
    observation: Observation | undefined,
  ) {
    // First, so that observers know the key of a request that is refused.
    request.caller = caller
    if (observation) observation.caller = caller
    markKeyed(request.raw.socket)
    if (caller.quota) checkRate(caller.quota, context.clock(), reply)
    if (scope !== 'anyKey' && scope !== 'public') checkScope(caller, scope)
    checkRest(request)
    if (content?.isUpload) takeShare(shares.uploads, request, reply)
  }

  function checkRest(request: FastifyRequest) {
    checkNotRemoved?.(context.clock())
    checkHeaders?.(request.headers)
    // Already checked. With one Content-Type, Fastify finds its only parser.
    request.headers['content-type'] = bodyType
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const observation = observationOf(reply.raw)
    if (observation) observation.operation = operation
    try {
      const ids = pathParameters.map((parameter) => pathTextOf(request, parameter))
      if (ids.includes('')) throw pathNotFound([near])
      if (headersFor) reply.headers(headersFor(baseUrlOf(request), ids.at(-1) ?? ''))
      if (scope === 'public') checkRest(request)
      else {
        const caller = authenticate(keys, request.raw)
        if (caller instanceof Promise) {
          caller
            .then((confirmed) => checkCaller(confirmed, request, reply, observation))
            .then(() => done(), done)
          return
        }
        checkCaller(caller, request, reply, observation)
      }
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function pathTextOf({ params }: FastifyRequest, { name }: PathParameter): string {
  return (params as Record<string, string>)[name] ?? ''
}
