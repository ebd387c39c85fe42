import { refusal } from '../refuse.ts'
import type { Grant } from './grants.ts'

/** Throws `insufficient_scope` with what the caller may not grant; nothing is forbidden where `grantable` is undefined. */
export function requireGrantable(
  grantable: readonly Grant[] | undefined,
  grants: readonly Grant[],
): void {
  if (!grantable) return
  const lacking = [...new Set(grants)].filter((grant) => !grantable.includes(grant))
  if (lacking.length === 0) return
  const { length } = lacking
  throw refusal(
    'insufficient_scope',
    `This API key does not have the scope${length === 1 ? '' : 's'} ${lacking.join(', ')}, which the other key has or gets. Use a key with ${length === 1 ? 'it' : 'them'}, or petstore keys on the machine of the store.`,
  )
}
