import type { Context } from '../../context/context.ts'
import { parseInstant } from '../../contract/instant.ts'
import { type Problem, shown } from '../../contract/problem.ts'
import { isoOf } from '../../db/records/instants.ts'
import { didYouMean } from '../../nearest-name.ts'
import { invalidBody } from '../refuse.ts'
import type { KeyChange } from './contract/keys.ts'
import type { Grant } from './grants.ts'

/** Reads scopes and expiry of a body, in UTC; null for none. Throws `invalid_body` with every problem. */
export function readKeyFields(
  { scopes: all, clock }: Context,
  { scopes, expiresAt }: KeyChange,
): { scopes?: Grant[]; expiresAt?: string | null } {
  const known = ['default', ...all]
  const problems: Problem[] = (scopes ?? []).flatMap((scope, index) =>
    known.includes(scope)
      ? []
      : { pointer: `/scopes/${index}`, detail: describeUnknownScope(scope, known) },
  )
  const expiresMs = typeof expiresAt === 'string' ? (parseInstant(expiresAt) ?? 0) : expiresAt
  if (typeof expiresMs === 'number' && expiresMs <= clock()) {
    const detail = `must be an instant in the future, such as 2030-12-05T00:00:00Z; received ${shown(expiresAt)}`
    problems.push({ pointer: '/expiresAt', detail })
  }
  if (problems.length > 0) throw invalidBody(problems)
  return {
    ...(scopes && { scopes: [...new Set(scopes)] as Grant[] }),
    ...(expiresMs === undefined ? {} : { expiresAt: expiresMs === null ? null : isoOf(expiresMs) }),
  }
}

/** That a scope does not exist, with the nearest one. */
export function describeUnknownScope(scope: string, known: readonly string[]): string {
  const advice = didYouMean(scope, known, { otherwise: '' })
  return `must be one of ${known.join(', ')}; received ${shown(scope)}${advice}`
}
