import type { Context } from '../../context/context.ts'
import type { IssuedKey, NewKey } from './contract/keys.ts'
import { firstGrants, type Grant, grantableBy } from './grants.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import { insertFirstKey, insertKey, keyRecord, type StoredKey } from './queries.ts'
import { readKeyFields } from './read-key-fields.ts'
import { requireGrantable } from './require-grantable.ts'

type KeyRequest = { name: string; grants: readonly Grant[]; expiresAt?: number | undefined }

/**
 * Creates a key and returns it; it cannot be read again. Resolves only once it is durable. Throws `invalid_body`,
 * `insufficient_scope`.
 */
export async function createKey(context: Context, newKey: NewKey): Promise<IssuedKey> {
  const { grants = ['default'], expiresAt } = readKeyFields(context, newKey)
  requireGrantable(grantableBy(context.actor), grants)
  const { key, stored } = await issueKey(context, { name: newKey.name, grants, expiresAt })
  return { ...keyRecord(stored), key }
}

/** Issues a key, whoever asks for it. Resolves only once it is durable. */
export async function issueKey(
  context: Context,
  request: KeyRequest,
): Promise<{ key: string; stored: StoredKey }> {
  const { key, row } = newKeyRow(context, request)
  return { key, stored: await context.db.write(insertKey, row) }
}

/**
 * Issues the first key of a store; returns `undefined` where one exists. `keep` stores it for its owner before it
 * becomes valid.
 */
export async function createFirstKey(
  context: Context,
  keep: (key: string) => void,
): Promise<string | undefined> {
  const { key, row } = newKeyRow(context, { name: 'first', grants: firstGrants })
  keep(key)
  return (await context.db.write(insertFirstKey, row)) ? key : undefined
}

function newKeyRow(
  { clock, random, environment, actor }: Context,
  { name, grants, expiresAt }: KeyRequest,
) {
  const key = mintKey(environment, random)
  const row = {
    name,
    hint: hintOf(key),
    digest: digestOf(key),
    grants,
    createdAt: clock(),
    createdBy: actor?.keyId,
    expiresAt,
  }
  return { key, row }
}
