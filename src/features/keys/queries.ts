import { isId, isText, requireSound } from '../../db/damaged-row.ts'
import { oneByOne, type Query, type Row, type Sql, type Tx } from '../../db/db.ts'
import { isInstant } from '../../db/instants.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import type { Step } from '../../db/lists/steps.ts'
import type { Key } from './contract/keys.ts'
import type { Grant } from './grants.ts'

/** The stored row of a key, without its secret; instants in milliseconds since 1970. */
export type StoredKey = {
  id: bigint
  name: string
  hint: string
  digest: Uint8Array
  grants: readonly Grant[]
  createdAt: number
  /** The key that made it; undefined for a command and the first start. */
  createdBy: bigint | undefined
  expiresAt: number | undefined
  lastUsedAt: number | undefined
  revokedAt: number | undefined
  /** The key that the last rotation replaced. */
  previous: { hint: string; digest: Uint8Array; endsAt: number } | undefined
}

type NewStoredKey = Omit<StoredKey, 'id' | 'lastUsedAt' | 'revokedAt' | 'previous'>

const columns = `id, name, hint, digest, scopes, created_at, created_by, expires_at, last_used_at, revoked_at,
  previous_hint, previous_digest, previous_ends_at`

export const selectKeys: Query<undefined, StoredKey[]> = {
  key: () => '',
  async run(sql, inputs) {
    const rows = await sql.all(`select ${columns} from keys order by id`)
    return inputs.map(() => rows.map(storedKey))
  },
}

export const keysList = listStatements<Record<never, never>, Key>('keys', {
  table: 'keys',
  columns,
  conditionsOf: () => [],
  itemOf: soundRecord,
})

export const selectKey = queryById({ table: 'keys', columns, itemOf: soundRecord })

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

export const insertKey = oneByOne<NewStoredKey, StoredKey>({
  name: 'insertKey',
  run: (tx, key) => addKey(tx, key),
})

/** Inserts the key only where there is none; returns whether it did. */
export const insertFirstKey = oneByOne<NewStoredKey, boolean>({
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

async function addKey(tx: Tx, key: NewStoredKey): Promise<StoredKey> {
  await tx.all(nextRevision)
  const [row] = await tx.all(
    `insert into keys (name, hint, digest, scopes, created_at, created_by, expires_at)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7) returning ${columns}`,
    [
      key.name,
      key.hint,
      key.digest,
      key.grants.join(' '),
      key.createdAt,
      key.createdBy ?? null,
      key.expiresAt ?? null,
    ],
  )
  const stored = storedKey(row as Row)
  tx.record(key, {
    type: 'key.created',
    record: 'key',
    id: stored.id,
    data: keyRecord(stored),
  })
  return stored
}

/** Locks all keys, and reads one, until the transaction ends. */
export async function lockKeyRow(sql: Sql, id: bigint): Promise<StoredKey | undefined> {
  await sql.all(nextRevision)
  const [row] = await sql.all(`select ${columns} from keys where id = ?1${sql.forUpdate}`, [id])
  return row && storedKey(row)
}

/** Changes a locked key. */
export async function updateKeyRow(sql: Sql, key: StoredKey): Promise<void> {
  const { previous } = key
  await sql.all(
    `update keys set name = ?2, hint = ?3, digest = ?4, scopes = ?5, expires_at = ?6, revoked_at = ?7,
    previous_hint = ?8, previous_digest = ?9, previous_ends_at = ?10 where id = ?1`,
    [
      ...[key.id, key.name, key.hint, key.digest, key.grants.join(' ')],
      ...[key.expiresAt ?? null, key.revokedAt ?? null],
      ...[previous?.hint ?? null, previous?.digest ?? null, previous?.endsAt ?? null],
    ],
  )
}

/** Whether another key may manage keys without end. */
export async function hasOtherManager(sql: Sql, id: bigint): Promise<boolean> {
  const [row] = await sql.all(
    `select id from keys where id <> ?1 and revoked_at is null and expires_at is null
    and ' ' || scopes || ' ' like '% keys:manage %' limit 1`,
    [id],
  )
  return row !== undefined
}

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

function storedKey(row: Row): StoredKey {
  const [id, name, hint, digest, scopes] = row as [bigint, string, string, Uint8Array, string]
  const [createdAt, createdBy, expiresAt, lastUsedAt, revokedAt] = row.slice(5) as (bigint | null)[]
  const [previousHint, previousDigest, previousEndsAt] = row.slice(10) as [
    string | null,
    Uint8Array | null,
    bigint | null,
  ]
  return {
    id,
    name,
    hint,
    digest,
    grants: scopes.split(' ') as Grant[],
    createdAt: Number(createdAt),
    createdBy: createdBy ?? undefined,
    expiresAt: msOf(expiresAt),
    lastUsedAt: msOf(lastUsedAt),
    revokedAt: msOf(revokedAt),
    previous:
      previousHint === null || previousDigest === null
        ? undefined
        : { hint: previousHint, digest: previousDigest, endsAt: Number(previousEndsAt) },
  }
}

function msOf(instant: bigint | null | undefined): number | undefined {
  return instant === null || instant === undefined ? undefined : Number(instant)
}

/** What clients see of a row. Throws DamagedRow. */
function soundRecord(row: Row): Key {
  const [id, name, hint, , scopes, ...others] = row
  const isSoundInstant = (at: number) =>
    others[at] === null || (typeof others[at] === 'bigint' && isInstant(others[at]))
  requireSound('keys', id, {
    id: isId(id),
    name: isText(name),
    hint: isText(hint),
    scopes: isText(scopes),
    created_at: others[0] !== null && isSoundInstant(0),
    expires_at: isSoundInstant(2),
    last_used_at: isSoundInstant(3),
    revoked_at: isSoundInstant(4),
    previous_ends_at: isSoundInstant(7),
  })
  return keyRecord(storedKey(row))
}

/** A key as clients see it. */
export function keyRecord(key: StoredKey): Key {
  const { id, name, hint, grants, createdAt, createdBy, previous } = key
  return {
    id,
    name,
    hint,
    scopes: [...grants],
    createdAt: new Date(createdAt).toISOString(),
    ...(createdBy === undefined ? {} : { createdBy }),
    ...instantIn('expiresAt', key.expiresAt),
    ...instantIn('lastUsedAt', key.lastUsedAt),
    ...instantIn('revokedAt', key.revokedAt),
    ...(previous && { previousHint: previous.hint }),
    ...instantIn('previousEndsAt', previous?.endsAt),
  }
}

function instantIn<Name extends string>(name: Name, ms: number | undefined) {
  return (ms === undefined ? {} : { [name]: new Date(ms).toISOString() }) as {
    [name in Name]?: string
  }
}

type KeyValues = { id: bigint; scopes: string; instants: Record<string, bigint | null> }

/** The scopes of each key, and its instants in milliseconds since 1970, by column. */
export async function selectKeyValues(sql: Sql, { after, last }: Step): Promise<KeyValues[]> {
  const names = ['created_at', 'expires_at', 'last_used_at', 'revoked_at', 'previous_ends_at']
  const rows = await sql.all<[bigint, string, ...(bigint | null)[]]>(
    `select id, scopes, ${names.join(', ')} from keys where id > ?1 and id <= ?2 order by id`,
    [after, last],
  )
  return rows.map(([id, scopes, ...values]) => ({
    id,
    scopes,
    instants: Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])),
  }))
}

/** The instants of all keys, of an older version too, in milliseconds since 1970. */
export async function selectKeyStates(sql: Sql) {
  const rows = await sql.all<[bigint, ...(bigint | null)[]]>(
    'select created_at, expires_at, last_used_at, revoked_at from keys',
  )
  return rows.map(([createdAt, ...others]) => {
    const [expiresAt, lastUsedAt, revokedAt] = others.map((ms) => (ms === null ? null : Number(ms)))
    return { createdAt: Number(createdAt), expiresAt, lastUsedAt, revokedAt }
  })
}
