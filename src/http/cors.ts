import type { FastifyReply, FastifyRequest } from 'fastify'
import { parameterHeaders } from '../contract/request-headers.ts'
import { exposedHeaders } from '../contract/response-headers.ts'

const exposed = exposedHeaders.join(', ')
const allowedHeaders = ['Authorization', 'Content-Type', ...parameterHeaders].join(', ')
const preflightMaxAgeSeconds = '600'

/**
 * The CORS protocol (fetch.spec.whatwg.org) for pages of the given origins. Keys are sent in a header, so credentials
 * stay off.
 */
export function createCors(origins: readonly string[]) {
  const allowsAll = origins.includes('*')

  return function addCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
    if (!allowsAll) reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !(allowsAll || origins.includes(origin))) return
    reply.header('access-control-allow-origin', allowsAll ? '*' : origin)
    const method = request.headers['access-control-request-method']
    if (request.method !== 'OPTIONS' || method === undefined) {
      reply.header('access-control-expose-headers', exposed)
      return
    }
    reply.headers({
      'access-control-allow-methods': method,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightMaxAgeSeconds,
    })
  }
}
