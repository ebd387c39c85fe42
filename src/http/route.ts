import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Caller, KeyRing } from '../keys/key-ring.ts'
import { authenticate, checkScope } from './authenticate.ts'
import { bodyType, checkAnnouncedSize, checkMediaType, compileBody } from './body.ts'
import { demandTags, entityTagOf, isMatch } from './entity-tag.ts'
import { splitHeader } from './header-list.ts'
import { compileFingerprint, performOnce, readIdempotencyKey } from './idempotency.ts'
import { compileCheckNotRemoved, compileLifecycleHeaders } from './lifecycle.ts'
import type { BoundOperation, Operation } from './operation.ts'
import { compileQuery, parsePathId } from './parameters.ts'
import type { QueryParameters } from './query-string.ts'
import { type BaseUrlOf, compileRespond, compileSerialize, type Serialize } from './respond.ts'

/** What the kit needs to turn an operation into a route. */
type RouteOptions = { context: Context; keys: KeyRing; baseUrlOf: BaseUrlOf }

/** Turns an operation into a route that performs the design's checks in their order. */
export function registerOperation(
  app: FastifyInstance,
  bound: BoundOperation,
  options: RouteOptions,
): void {
  const { operation, perform } = bound
  const { context, baseUrlOf } = options
  const parseQuery = compileQuery(operation)
  const parseBody = operation.body ? compileBody(operation.body) : () => undefined
  const serialize = compileSerialize(operation)
  const respond = compileRespond(operation, serialize, baseUrlOf)
  const fingerprintOf = compileFingerprint(operation)
  const isList = operation.answers === 'page'
  const isRepeatable = operation.method === 'POST'
  const { pathParameter } = operation

  app.route({
    method: operation.method,
    url: `/v1${operation.path.replace(/\{(\w+)\}/g, ':$1')}`,
    onRequest: checksBeforeBody(operation, options),
    handler(request, reply) {
      const id = pathParameter ? parsePathId(pathTextOf(request, pathParameter), pathParameter) : 0n
      const parsed = parseQuery(request.query as QueryParameters)
      const key = isRepeatable ? readIdempotencyKey(request) : undefined
      const body = parseBody(request.body as Buffer | undefined) as never
      const input = {
        id,
        body,
        filter: parsed.filter as never,
        page: parsed.page,
        wantsTotal: isList && prefersExactCount(request.headers.prefer),
        isExpected: operation.isTagged && expectationOf(request, serialize),
      }
      const performing =
        key === undefined
          ? perform(context, input)
          : performOnce(bound, context, input, {
              keyId: callerOf(request).keyId,
              key,
              fingerprint: fingerprintOf(id, body),
              onReplay: () => reply.header('idempotency-replayed', 'true'),
            })
      // Not an async function: the framework's care for its result costs as much as the rest of this.
      performing
        .then((answer) => respond(request, reply, answer, parsed))
        .catch((error) => reply.send(error))
    },
  })
}

/** What `If-Match` makes a condition of. Throws `invalid_parameter`. */
function expectationOf({ headers, method }: FastifyRequest, serialize: Serialize) {
  const { 'if-match': ifMatch } = headers
  if (ifMatch === undefined || method === 'GET' || method === 'HEAD') return undefined
  demandTags(ifMatch)
  return (record: unknown) => isMatch(ifMatch, entityTagOf(serialize(record)))
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('The key of this request was not checked.')
  return caller
}

/** Key, scope, removal, media type and size: all that is checked before a byte of the body is waited for. */
function checksBeforeBody(operation: Operation, { keys, context, baseUrlOf }: RouteOptions) {
  const { pathParameter, lifecycle } = operation
  const { deprecation } = lifecycle
  const headersFor = deprecation && compileLifecycleHeaders(deprecation)
  const checkNotRemoved = deprecation && compileCheckNotRemoved(deprecation)

  function checkCaller(caller: Caller, request: FastifyRequest) {
    checkScope(caller, operation.scope)
    request.caller = caller
    checkNotRemoved?.(context.clock())
    if (operation.body) {
      checkMediaType(request.headers)
      checkAnnouncedSize(request.headers)
    }
    // It has been judged: the framework, which would judge it again, finds the one parser that there is.
    if (operation.method !== 'GET') request.headers['content-type'] = bodyType
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      if (pathParameter && pathTextOf(request, pathParameter) === '') throw pathNotFound()
      if (headersFor) reply.headers(headersFor(baseUrlOf(request)))
      const caller = authenticate(keys, request.raw)
      if (caller instanceof Promise) {
        caller.then((confirmed) => checkCaller(confirmed, request)).then(() => done(), done)
        return
      }
      checkCaller(caller, request)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function pathTextOf({ params }: FastifyRequest, { name }: PathParameter): string {
  return (params as Record<string, string>)[name] ?? ''
}

type PathParameter = NonNullable<Operation['pathParameter']>

export function pathNotFound(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no resource at this path. GET /openapi.json lists all paths.',
  )
}

/** RFC 7240: `Prefer: count=exact`, alone or among others. */
function prefersExactCount(prefer: IncomingHttpHeaders[string]): boolean {
  if (prefer === undefined) return false
  return splitHeader(String(prefer), ',').some((one) =>
    /^\s*count\s*=\s*"?exact"?\s*(?:;|$)/i.test(one),
  )
}
