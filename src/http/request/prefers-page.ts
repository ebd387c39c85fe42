import type { FastifyRequest } from 'fastify'
import { weightsOf } from './header-list.ts'

/**
 * Whether a request is answered with a page where no route is: a read whose `Accept` names
 * `text/html` and ranks it above JSON in every form (RFC 9110, section 12.5.1). A browser's navigation does; curl and
 * `fetch`, which send a wildcard alone, do not.
 */
export function prefersPage({ method, headers: { accept } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const weights = weightsOf(accept)
  const html = weights.get('text/html') ?? 0
  const others = weights.get('application/*') ?? weights.get('*/*') ?? 0
  const json = weights.get('application/json') ?? others
  return html > json && html > (weights.get('application/problem+json') ?? 0)
}
