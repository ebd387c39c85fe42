import type { Scope } from '../../contract/operation.ts'
import { oneByOne, type Query, type Row, type Sql, type Tx } from '../../db/db.ts'
import type { Step } from '../../db/lists/steps.ts'
import { refusal } from '../refuse.ts'

/** The stored row of a key, without its secret; instants in milliseconds since 1970. */
export type StoredKey = {
  id: bigint
  name: string
  hint: string
  digest: Uint8Array
  scopes: readonly Scope[]
  createdAt: number
  expiresAt: number | undefined
  lastUsedAt: number | undefined
  revokedAt: number | undefined
}

type NewKey = Pick<StoredKey, 'name' | 'hint' | 'digest' | 'scopes' | 'createdAt' | 'expiresAt'>

const columns = 'id, name, hint, digest, scopes, created_at, expires_at, last_used_at, revoked_at'

export const selectKeys: Query<undefined, StoredKey[]> = {
  key: () => '',
  async run(sql, inputs) {
    const rows = await sql.all(`select ${columns} from keys order by id`)
    return inputs.map(() => rows.map(storedKey))
  },
}

/** A revision that grows with every change of authentication. */
export const selectKeysRevision: Query<undefined, bigint> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<[bigint]>('select revision from keys_revision')
    return inputs.map(() => row?.[0] ?? 0n)
  },
}

/** The first statement of every transaction that changes keys: its lock puts their revisions in commit order. */
const nextRevision = 'update keys_revision set revision = revision + 1'
const insertKeySql = `insert into keys (name, hint, digest, scopes, created_at, expires_at)
values (?1, ?2, ?3, ?4, ?5, ?6) returning id`

export const insertKey = oneByOne<NewKey, bigint>({
  name: 'insertKey',
  run: (tx, key) => addKey(tx, key),
})

/** Inserts the key only where there is none; returns whether it did. */
export const insertFirstKey = oneByOne<NewKey, boolean>({
  name: 'insertFirstKey',
  async run(tx, key) {
    // Locks the revision, so that another process cannot add a first key meanwhile.
    await tx.all(nextRevision)
    const [row] = await tx.all<[bigint]>('select count(*) from keys')
    if (row?.[0] !== 0n) return false
    await addKey(tx, key)
    return true
  },
})

/** Revokes a key once; refuses an unknown id. Returns the instant of revocation. */
export const updateKeyRevoked = oneByOne<{ id: bigint; revokedAt: number }, number>({
  name: 'updateKeyRevoked',
  async run(tx, input) {
    const { id, revokedAt } = input
    await tx.all(nextRevision)
    const [row] = await tx.all<[bigint]>(
      'update keys set revoked_at = coalesce(revoked_at, ?2) where id = ?1 returning revoked_at',
      [id, revokedAt],
    )
    if (!row) throw refusal('not_found', `There is no key with the id ${id}.`)
    tx.record(input, { type: 'key.revoked', id })
    return Number(row[0])
  },
})

export const updateKeyUsed = oneByOne<{ id: bigint; lastUsedAt: number }, null>({
  name: 'updateKeyUsed',
  rowOf: ({ id }) => id,
  async run(sql, { id, lastUsedAt }) {
    await sql.all(
      'update keys set last_used_at = ?2 where id = ?1 and coalesce(last_used_at, 0) < ?2',
      [id, lastUsedAt],
    )
    return null
  },
})

async function addKey(tx: Tx, key: NewKey): Promise<bigint> {
  await tx.all(nextRevision)
  const [row] = await tx.all<[bigint]>(insertKeySql, bindings(key))
  const [id] = row as [bigint]
  tx.record(key, { type: 'key.created', id })
  return id
}

function bindings({ name, hint, digest, scopes, createdAt, expiresAt }: NewKey) {
  return [name, hint, digest, scopes.join(' '), createdAt, expiresAt ?? null]
}

function storedKey(row: Row): StoredKey {
  const [id, name, hint, digest, scopes, createdAt, expiresAt, lastUsedAt, revokedAt] = row as [
    bigint,
    string,
    string,
    Uint8Array,
    string,
    bigint,
    bigint | null,
    bigint | null,
    bigint | null,
  ]
  return {
    id,
    name,
    hint,
    digest,
    scopes: scopes.split(' ') as Scope[],
    createdAt: Number(createdAt),
    expiresAt: expiresAt === null ? undefined : Number(expiresAt),
    lastUsedAt: lastUsedAt === null ? undefined : Number(lastUsedAt),
    revokedAt: revokedAt === null ? undefined : Number(revokedAt),
  }
}

type KeyValues = { id: bigint; scopes: string; instants: Record<string, bigint | null> }

/** The scopes of each key, and its instants in milliseconds since 1970, by column. */
export async function selectKeyValues(sql: Sql, { after, last }: Step): Promise<KeyValues[]> {
  const rows = await sql.all<[bigint, string, bigint, bigint | null, bigint | null, bigint | null]>(
    `select id, scopes, created_at, expires_at, last_used_at, revoked_at
    from keys where id > ?1 and id <= ?2 order by id`,
    [after, last],
  )
  return rows.map(([id, scopes, created_at, expires_at, last_used_at, revoked_at]) => ({
    id,
    scopes,
    instants: { created_at, expires_at, last_used_at, revoked_at },
  }))
}
