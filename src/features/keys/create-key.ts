import type { CallerContext } from '../../context/context.ts'
import { oneByOne, type Tx } from '../../db/db.ts'
import { type Manager, requireManager } from './change-key.ts'
import type { IssuedKey, NewKey } from './contract/keys.ts'
import { firstGrants, requireCovered } from './grants.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import * as queries from './queries.ts'
import { readKeyFields } from './read-key-fields.ts'

type KeyRequest = Pick<queries.NewStoredKey, 'name' | 'grants' | 'expiresAt' | 'rateLimit'>

/**
 * Creates a key and returns it; it cannot be read again. Resolves only once it is durable. Throws `invalid_body`,
 * `insufficient_scope`.
 */
export async function createKey(context: CallerContext, newKey: NewKey): Promise<IssuedKey> {
  const { grants = ['default'], expiresAt } = readKeyFields(context, newKey)
  const { key, stored } = await issueKey(context, {
    name: newKey.name,
    grants,
    expiresAt: expiresAt ?? undefined,
    rateLimit: newKey.rateLimit,
  })
  return { ...queries.keyRecord(stored), key }
}

/** Issues a key with any end. Resolves only once it is durable. Throws `insufficient_scope`. */
export async function issueKey(context: CallerContext, request: KeyRequest) {
  const { key, ...minted } = mint(context, request)
  return { key, stored: await context.db.write(insertKey, minted) }
}

/**
 * Issues the first key of a store; returns `undefined` where one exists. `keep` stores it for its owner before it
 * becomes valid.
 */
export async function createFirstKey(
  context: CallerContext,
  keep: (key: string) => void,
): Promise<string | undefined> {
  const request = { name: 'first', grants: firstGrants, expiresAt: undefined }
  const { key, row } = mint(context, request)
  keep(key)
  return (await context.db.write(insertFirstKey, row)) ? key : undefined
}

function mint({ clock, random, environment, actor: caller }: CallerContext, request: KeyRequest) {
  const key = mintKey(environment, random)
  const now = clock()
  const parts = { hint: hintOf(key), digest: digestOf(key) }
  return {
    key,
    caller,
    now,
    row: { ...request, ...parts, createdAt: now, createdBy: caller?.keyId },
  }
}

export const insertKey = oneByOne<Manager & { row: queries.NewStoredKey }, queries.StoredKey>({
  name: 'insertKey',
  async run(tx, input) {
    await queries.lockKeys(tx)
    const { row } = input
    const held = await requireManager(tx, input, row.grants)
    if (held) requireCovered(held, row)
    return insert(tx, input, row)
  },
})

/** Inserts the key only where there is none; returns whether it did. */
export const insertFirstKey = oneByOne<queries.NewStoredKey, boolean>({
  name: 'insertFirstKey',
  async run(tx, row) {
    // The lock keeps another process from adding a first key meanwhile.
    await queries.lockKeys(tx)
    if (await queries.hasKeys(tx)) return false
    await insert(tx, row, row)
    return true
  },
})

async function insert(tx: Tx, input: unknown, row: queries.NewStoredKey) {
  const stored = await queries.insertKeyRow(tx, row)
  const data = queries.keyRecord(stored)
  tx.record(input, { type: 'key.created', record: 'key', id: stored.id, data })
  return stored
}
