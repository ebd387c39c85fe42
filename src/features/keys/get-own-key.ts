import type { Actor, RequestContext } from '../../context/context.ts'
import type { OwnKey } from './contract/keys.ts'
import { getKey } from './get-key.ts'

/** The key of the request: its name, and what it may do until when, as it was accepted. */
export async function getOwnKey(context: RequestContext<Actor>): Promise<OwnKey> {
  const { actor, environment } = context
  const { keyId: id, scopes, expiresAt } = actor
  const { name } = await getKey(context, id)
  const end = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
  return { id, name, scopes: [...scopes], environment, ...end }
}
