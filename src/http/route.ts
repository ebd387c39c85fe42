import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Caller, KeyRing } from '../keys/key-ring.ts'
import { authenticate, checkScope } from './authenticate.ts'
import { checkAnnouncedSize, checkMediaType, compileBody } from './body.ts'
import { checkNotRemoved, lifecycleHeaders } from './lifecycle.ts'
import type { BoundOperation, Operation } from './operation.ts'
import { compileQuery, parsePathId } from './parameters.ts'
import type { QueryParameters } from './query-string.ts'
import { type BaseUrlOf, compileRespond } from './respond.ts'

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
  const respond = compileRespond(operation, baseUrlOf)
  const isList = operation.answers === 'page'
  const { pathParameter } = operation

  app.route({
    method: operation.method,
    url: `/v1${operation.path.replace(/\{(\w+)\}/g, ':$1')}`,
    onRequest: checksBeforeBody(operation, options),
    async handler(request, reply) {
      const id = pathParameter ? parsePathId(pathTextOf(request, pathParameter), pathParameter) : 0n
      const parsed = parseQuery(request.query as QueryParameters)
      const body = parseBody(request.body as Buffer | undefined) as never
      const wantsTotal = isList && prefersExactCount(request.headers.prefer)
      const { query, page } = parsed
      respond(request, reply, await perform(context, { id, query, body, page, wantsTotal }), parsed)
      return reply
    },
  })
}

/** Key, scope, removal, media type and size: all that is checked before a byte of the body is waited for. */
function checksBeforeBody(operation: Operation, { keys, context, baseUrlOf }: RouteOptions) {
  const { deprecation } = operation.lifecycle

  function checkCaller(caller: Caller, request: FastifyRequest) {
    checkScope(caller, operation.scope)
    if (deprecation) checkNotRemoved(deprecation, context.clock())
    if (operation.body) {
      checkMediaType(request.headers)
      checkAnnouncedSize(request.headers)
    }
    // Fastify would judge it again, and refuse an empty one.
    delete request.headers['content-type']
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      const { pathParameter } = operation
      if (pathParameter && pathTextOf(request, pathParameter) === '') throw pathNotFound()
      if (deprecation) reply.headers(lifecycleHeaders(deprecation, baseUrlOf(request)))
      const caller = authenticate(keys, request.headers.authorization)
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
    'There is nothing at this path. GET /openapi.json lists what there is.',
  )
}

/** What stands between commas; a comma in a quoted string, closed or not, is not between. */
const preferencePattern = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g

/** RFC 7240: `Prefer: count=exact`, alone or among others. */
function prefersExactCount(prefer: IncomingHttpHeaders[string]): boolean {
  const preferences = String(prefer ?? '').match(preferencePattern) ?? []
  return preferences.some((one) => /^\s*count\s*=\s*"?exact"?\s*(?:;|$)/i.test(one))
}
