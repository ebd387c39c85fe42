import type { FastifyRequest } from 'fastify'
import { weightsOf } from './header-list.ts'

// RFC 9110, section 12.5: media types and content codings that the client accepts.

/** Whether `Accept` names this media type, and does not rank JSON as high by its name. */
export function prefersType(accept: string | undefined, type: string): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(type)) return false
  const weights = weightsOf(accept)
  return (weights.get(type) ?? 0) > (weights.get('application/json') ?? 0)
}

/** Of these media types the one that `Accept` ranks highest by its name; the first where it names none. */
export function preferredType(accept: string | undefined, types: readonly string[]): string {
  const weights = weightsOf(accept ?? '')
  const weightOf = (type: string) => weights.get(type.split(';', 1)[0] ?? '') ?? 0
  return types.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? ''
}

/** Whether the client accepts problem details, and ranks them at least as high as JSON in every form. */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const weights = weightsOf(accept)
  const problem = weights.get(problemType) ?? 0
  return problem > 0 && problem >= weightOfJson(weights)
}

/**
 * Whether a request is answered with a page where no route is: a read whose `Accept` names `text/html` and ranks it above
 * JSON in every form. A browser's navigation does; curl and `fetch`, which send a wildcard alone, do not.
 */
export function prefersPage({ method, headers: { accept } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const weights = weightsOf(accept)
  const html = weights.get('text/html') ?? 0
  return html > weightOfJson(weights) && html > (weights.get(problemType) ?? 0)
}

export const problemType = 'application/problem+json'

function weightOfJson(weights: ReadonlyMap<string, number>): number {
  const names = ['application/json', 'application/*', '*/*']
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0
}

/** Of codings with equal weight, the first is sent. */
const codings = ['br', 'gzip', 'identity'] as const

export type Coding = (typeof codings)[number]

/** The content coding that the client prefers. */
export function codingFor(acceptEncoding: string | string[] | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = weightsOf(String(acceptEncoding))
  const others = weights.get('*') ?? 0
  let best: Coding = 'identity'
  let highest = 0
  for (const coding of codings) {
    // Identity is acceptable unless excluded, and comes last where it is not named.
    const weight = weights.get(coding) ?? (coding === 'identity' ? Number.MIN_VALUE : others)
    if (weight > highest) [best, highest] = [coding, weight]
  }
  return best
}
