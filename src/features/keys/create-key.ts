import type { Environment } from '../../config/settings.ts'
import type { Context } from '../../context/context.ts'
import type { Scope } from '../../contract/operation.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import { insertFirstKey, insertKey } from './queries.ts'

export type KeyRequest = {
  name: string
  environment: Environment
  scopes: readonly Scope[]
  /** How long the key is valid; without limit when absent. */
  validMs?: number | undefined
}

/** Issues a key and returns it; it cannot be read again. Resolves only once it is durable. */
export async function createKey(context: Context, request: KeyRequest): Promise<string> {
  const { key, stored } = newKey(context, request)
  await context.db.write(insertKey, stored)
  return key
}

/**
 * Issues the first key of a store; returns `undefined` where one exists. `keep` stores it for its owner before it
 * becomes valid.
 */
export async function createFirstKey(
  context: Context,
  { environment, scopes }: Pick<KeyRequest, 'environment' | 'scopes'>,
  keep: (key: string) => void,
): Promise<string | undefined> {
  const { key, stored } = newKey(context, { name: 'first', environment, scopes })
  keep(key)
  return (await context.db.write(insertFirstKey, stored)) ? key : undefined
}

function newKey({ clock, random }: Context, { name, environment, scopes, validMs }: KeyRequest) {
  const key = mintKey(environment, random)
  const createdAt = clock()
  const stored = {
    name,
    hint: hintOf(key),
    digest: digestOf(key),
    scopes,
    createdAt,
    expiresAt: validMs === undefined ? undefined : createdAt + validMs,
  }
  return { key, stored }
}
