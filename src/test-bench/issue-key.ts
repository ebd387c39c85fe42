import type { Environment } from '../config/settings.ts'
import type { Context } from '../context/context.ts'
import { issueKey as issue } from '../features/keys/create-key.ts'
import { mintKey } from '../features/keys/key-format.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import type { NewTestKey } from './contract.ts'

/** Issues an API key: valid, for a while or without end, expired, revoked, or one of the other environment, which this store does not know. */
export async function issueKey(
  context: Context,
  own: Environment,
  { scopes, expired, validMs, revoked, rateLimit, environment = own }: NewTestKey,
): Promise<string> {
  if (environment !== own) return mintKey(environment, context.random)
  const now = context.clock()
  const expiresAt = expired ? now : validMs === undefined ? undefined : now + validMs
  const { key, stored } = await issue(context, {
    name: 'test bench',
    grants: scopes ?? ['default'],
    expiresAt,
    rateLimit,
  })
  if (revoked) await revokeKey(context, stored.id)
  return key
}
