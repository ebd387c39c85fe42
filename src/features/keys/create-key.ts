import type { CallerContext } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { isoOf } from '../../db/records/instants.ts'
import { presentMembers } from '../../db/records/rows.ts'
import { type Manager, powersOf, requireManager } from './change-key.ts'
import { type IssuedKey, keyRecord, type NewKey } from './contract/keys.ts'
import { firstGrants, type Grant, requireCovered } from './grants.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import { hasKeys, keyWrites, lockKeys, type StoredKey } from './queries.ts'
import { readKeyFields } from './read-key-fields.ts'

type KeyRequest = {
  name: string
  scopes: readonly Grant[]
  expiresAt?: string | null | undefined
  rateLimit?: number | undefined
}

type NewStoredKey = Omit<StoredKey, 'id'>

/**
 * Creates a key and returns it; it cannot be read again. Resolves only once it is durable. Throws `invalid_body`,
 * `insufficient_scope`.
 */
export async function createKey(context: CallerContext, newKey: NewKey): Promise<IssuedKey> {
  const { name, rateLimit } = newKey
  const { scopes = ['default'], expiresAt } = readKeyFields(context, newKey)
  const { key, stored } = await issueKey(context, { name, scopes, expiresAt, rateLimit })
  return { ...keyRecord.shown(stored), key }
}

/** Issues a key with any end. Resolves only once it is durable. Throws `insufficient_scope`. */
export async function issueKey(context: CallerContext, request: KeyRequest) {
  const { key, ...minted } = mint(context, request)
  return { key, stored: (await context.db.write(insertKey, minted)) as StoredKey }
}

/**
 * Issues the first key of a store; returns `undefined` where one exists. `keep` stores it for its owner before it
 * becomes valid.
 */
export async function createFirstKey(
  context: CallerContext,
  keep: (key: string) => void,
): Promise<string | undefined> {
  const { key, ...minted } = mint(context, { name: 'first', scopes: firstGrants })
  keep(key)
  return (await context.db.write(insertKey, { ...minted, isFirst: true })) ? key : undefined
}

function mint({ clock, random, environment, actor: caller }: CallerContext, request: KeyRequest) {
  const key = mintKey(environment, random)
  const now = clock()
  const row = presentMembers<NewStoredKey>({
    ...request,
    hint: hintOf(key),
    digest: digestOf(key),
    createdAt: isoOf(now),
    createdBy: caller?.keyId,
  })
  return { key, caller, now, row }
}

type NewKeyInput = Manager & {
  row: NewStoredKey
  /** The key is inserted only into a store without keys. */
  isFirst?: boolean
}

/** Returns undefined if the key `isFirst` and the store has a key already. */
export const insertKey = oneByOne<NewKeyInput, StoredKey | undefined>({
  name: 'insertKey',
  async run(tx, input) {
    // The lock keeps another process from adding a first key meanwhile.
    await lockKeys(tx)
    const { row, isFirst } = input
    if (isFirst && (await hasKeys(tx))) return undefined
    const held = await requireManager(tx, input, row.scopes)
    if (held) requireCovered(held, powersOf(row))
    const [stored] = await keyWrites.create(tx, input, [row])
    return stored
  },
})
