import type { Context } from '../../context/context.ts'
import { parseInstant } from '../../contract/instant.ts'
import { type Problem, ServiceError } from '../../contract/service-error.ts'
import { nearestName } from '../../nearest-name.ts'
import type { Grant } from './grants.ts'

type Sent = { scopes?: readonly string[]; expiresAt?: string | null }
type Fields = { grants?: readonly Grant[]; expiresAt?: number | null }

/** Reads scopes and expiry of a body. Throws `invalid_body` with every problem. */
export function readKeyFields(
  context: Context,
  sent: Sent & { expiresAt?: string },
): {
  grants?: readonly Grant[]
  expiresAt?: number
}
export function readKeyFields(context: Context, sent: Sent): Fields
export function readKeyFields(
  { scopes: all, clock }: Context,
  { scopes, expiresAt }: Sent,
): Fields {
  const problems: Problem[] = []
  const known = ['default', ...all]
  for (const [index, scope] of (scopes ?? []).entries()) {
    if (!known.includes(scope))
      problems.push({ pointer: `/scopes/${index}`, detail: describeUnknownScope(scope, known) })
  }
  const expiresMs = typeof expiresAt === 'string' ? parseInstant(expiresAt) : expiresAt
  if (expiresAt !== undefined && expiresMs !== null && !((expiresMs ?? 0) > clock())) {
    const detail = `must be an instant in the future, such as 2030-12-05T00:00:00Z; received ${JSON.stringify(expiresAt)}`
    problems.push({ pointer: '/expiresAt', detail })
  }
  if (problems.length > 0) {
    const sentences = problems.map(
      ({ pointer, detail }) => `${pointer?.slice(1).replace('/', '.')} ${detail}`,
    )
    throw new ServiceError('invalid_body', `${sentences.join('; ')}.`.replace('?.', '?'), {
      problems,
    })
  }
  return {
    ...(scopes && { grants: [...new Set(scopes)] as Grant[] }),
    ...(expiresMs === undefined ? {} : { expiresAt: expiresMs }),
  }
}

/** That a scope does not exist, with the nearest one. */
export function describeUnknownScope(scope: string, known: readonly string[]): string {
  const nearest = nearestName(scope, known)
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `must be one of ${known.join(', ')}; received ${JSON.stringify(scope)}${advice}`
}
