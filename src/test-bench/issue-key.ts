import type { Environment } from '../config/settings.ts'
import type { Context } from '../context/context.ts'
import { createKey } from '../features/keys/create-key.ts'
import { digestOf, mintKey } from '../features/keys/key-format.ts'
import { listKeys } from '../features/keys/list-keys.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import { scopes as allScopes } from '../features/scopes.ts'
import type { NewTestKey } from './contract.ts'

/** Issues an API key: valid, for a while or without end, expired, revoked, or one of the other environment, which this store does not know. */
export async function issueKey(
  context: Context,
  own: Environment,
  { scopes, expired, validMs, revoked, environment = own }: NewTestKey,
): Promise<string> {
  if (environment !== own) return mintKey(environment, context.random)
  const name = 'test bench'
  const key = await createKey(context, {
    name,
    environment,
    scopes: scopes ?? allScopes,
    ...(validMs === undefined ? {} : { validMs }),
    ...(expired ? { validMs: 0 } : {}),
  })
  if (revoked) {
    const digest = digestOf(key)
    const issued = (await listKeys(context)).find((one) => digest.equals(one.digest))
    if (issued) await revokeKey(context, issued.id)
  }
  return key
}
