import { isId, isText, requireSound } from '../../db/damaged-row.ts'
import { oneByOne, type Query, type Row, type Sql } from '../../db/db.ts'
import { isInstant, isoOf } from '../../db/instants.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import type { Step } from '../../db/lists/steps.ts'
import { columnsOf, presentMembers, queryOnce } from '../../db/rows.ts'
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
  /** Requests per second; undefined for that of the settings. */
  rateLimit?: number | undefined
  /** The key that the last rotation replaced. */
  previous: { hint: string; digest: Uint8Array; endsAt: number } | undefined
}

export type NewStoredKey = Omit<StoredKey, 'id' | 'lastUsedAt' | 'revokedAt' | 'previous'>

const columns = `id, name, hint, digest, scopes, created_at, created_by, expires_at, last_used_at, revoked_at,
  previous_hint, previous_digest, previous_ends_at, rate_limit`
const instants = {
  created_at: 5,
  expires_at: 7,
  last_used_at: 8,
  revoked_at: 9,
  previous_ends_at: 12,
}

export const selectKeys = queryOnce(async (sql) => {
  const rows = await sql.all(`select ${columns} from keys order by id`)
  return rows.map(storedKey)
})

export const keysList = listStatements<Record<never, never>, Key>('keys', {
  table: 'keys',
  columns,
  conditionsOf: () => [],
  itemOf: soundRecord,
})

export const selectKey = queryById({ table: 'keys', columns, itemOf: soundRecord })
export const selectStoredKey = queryById({ table: 'keys', columns, itemOf: storedKey })

/** Another value after every change of authentication. */
export const selectKeysRevision = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint]>('select revision from keys_revision')
  return row?.[0] ?? 0n
})

/** The key that has, or before its last rotation had, this digest; and the revision of the keys in the same snapshot. */
export const selectKeyByDigest: Query<
  Uint8Array,
  { key: StoredKey | undefined; revision: bigint }
> = {
  key: hexOf,
  async run(sql, digests) {
    const { from, parameters } = sql.rows(
      columnsOf('bytes', 'sent'),
      digests.map((digest) => [digest]),
    )
    const rows = await sql.all(
      `select revision, found.* from keys_revision left join (
        select ${columns} from ${from} join keys on digest = sent
        union all
        select ${columns} from ${from} join keys on previous_digest = sent
      ) as found on true`,
      parameters,
    )
    const keys = new Map<string, StoredKey>()
    for (const row of rows) {
      if (row[1] === null) continue
      const key = storedKey(row.slice(1))
      for (const { digest } of [key, key.previous ?? key]) keys.set(hexOf(digest), key)
    }
    const revision = (rows[0]?.[0] as bigint | undefined) ?? 0n
    return digests.map((digest) => ({ key: keys.get(hexOf(digest)), revision }))
  },
}

/**
 * The first statement of every transaction that changes keys: it locks all keys. The revision is a time where it can be:
 * after a failover that lost commits, a number that was counted could come twice.
 */
export async function lockKeys(sql: Sql): Promise<void> {
  const { now } = sql
  await sql.all(
    `update keys_revision set revision = case when revision < ${now} then ${now} else revision + 1 end`,
  )
}

/** A key as it is under the lock of all keys. */
export async function findKeyRow(sql: Sql, id: bigint): Promise<StoredKey | undefined> {
  const [row] = await sql.all(`select ${columns} from keys where id = ?1`, [id])
  return row && storedKey(row)
}

export async function hasKeys(sql: Sql): Promise<boolean> {
  return (await sql.all('select id from keys limit 1')).length > 0
}

export const selectHasKeys = queryOnce(hasKeys)

/** Whether another key may manage keys without end. */
export async function hasOtherManager(sql: Sql, id: bigint): Promise<boolean> {
  const rows = await sql.all(
    `select id from keys where id <> ?1 and revoked_at is null and expires_at is null
    and ' ' || scopes || ' ' like '% keys:manage %' limit 1`,
    [id],
  )
  return rows.length > 0
}

export async function insertKeyRow(sql: Sql, key: NewStoredKey): Promise<StoredKey> {
  const [row] = await sql.all(
    `insert into keys (name, hint, digest, scopes, created_at, created_by, expires_at, rate_limit)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) returning ${columns}`,
    [
      ...[key.name, key.hint, key.digest, key.grants.join(' '), key.createdAt],
      ...[key.createdBy ?? null, key.expiresAt ?? null, key.rateLimit ?? null],
    ],
  )
  return storedKey(row as Row)
}

export async function updateKeyRow(sql: Sql, key: StoredKey): Promise<void> {
  const { previous } = key
  await sql.all(
    `update keys set name = ?2, hint = ?3, digest = ?4, scopes = ?5, expires_at = ?6, revoked_at = ?7,
    previous_hint = ?8, previous_digest = ?9, previous_ends_at = ?10, rate_limit = ?11 where id = ?1`,
    [
      ...[key.id, key.name, key.hint, key.digest, key.grants.join(' ')],
      ...[key.expiresAt ?? null, key.revokedAt ?? null, previous?.hint ?? null],
      ...[previous?.digest ?? null, previous?.endsAt ?? null, key.rateLimit ?? null],
    ],
  )
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

/** Whether a key was revoked, or has expired, at this time or before. */
export async function hasEndedKeys(sql: Sql, endedAt: number): Promise<boolean> {
  const text = 'select id from keys where coalesce(revoked_at, expires_at) <= ?1 limit 1'
  return (await sql.all(text, [endedAt])).length > 0
}

/** Deletes up to so many keys that were revoked, or have expired, at this time or before; returns them. */
export async function deleteEndedKeyRows(
  sql: Sql,
  endedAt: number,
  max: number,
): Promise<StoredKey[]> {
  const rows = await sql.all(
    `delete from keys where id in (select id from keys
      where coalesce(revoked_at, expires_at) <= ?1 order by coalesce(revoked_at, expires_at) limit ?2)
    returning ${columns}`,
    [endedAt, max],
  )
  return rows.map(storedKey)
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}

function storedKey(row: Row): StoredKey {
  const [id, name, hint, digest, scopes] = row as [bigint, string, string, Uint8Array, string]
  const [previousHint, previousDigest] = row.slice(10) as [string, Uint8Array | null]
  const numbers = row.map((value) => (typeof value === 'bigint' ? Number(value) : undefined))
  const endsAt = numbers[instants.previous_ends_at] ?? 0
  return {
    ...{ id, name, hint, digest },
    grants: scopes.split(' ') as Grant[],
    createdAt: Number(row[instants.created_at]),
    createdBy: (row[6] as bigint | null) ?? undefined,
    expiresAt: numbers[instants.expires_at],
    lastUsedAt: numbers[instants.last_used_at],
    revokedAt: numbers[instants.revoked_at],
    rateLimit: numbers[13],
    previous: previousDigest ? { hint: previousHint, digest: previousDigest, endsAt } : undefined,
  }
}

/** What clients see of a row. Throws DamagedRow. */
function soundRecord(row: Row): Key {
  const [id, name, hint, , scopes] = row
  requireSound('keys', id, {
    id: isId(id),
    name: isText(name),
    hint: isText(hint),
    scopes: isText(scopes),
    ...Object.fromEntries(Object.keys(invalidInstants(row)).map((column) => [column, false])),
  })
  return keyRecord(storedKey(row))
}

/** The instants of a row that are no dates, by column. */
function invalidInstants(row: Row): Record<string, unknown> {
  const found = Object.entries(instants).map(([column, at]) => [column, row[at]] as const)
  const isValid = (column: string, value: unknown) =>
    value === null ? column !== 'created_at' : isInstant(value)
  return Object.fromEntries(found.filter(([column, value]) => !isValid(column, value)))
}

/** A key as clients see it. */
export function keyRecord(key: StoredKey): Key {
  const { id, name, hint, grants, createdBy, rateLimit, previous } = key
  return presentMembers<Key>({
    ...{ id, name, hint, scopes: [...grants] },
    ...{ createdAt: isoOf(key.createdAt), createdBy, rateLimit },
    expiresAt: isoOf(key.expiresAt),
    lastUsedAt: isoOf(key.lastUsedAt),
    revokedAt: isoOf(key.revokedAt),
    previousHint: previous?.hint,
    previousEndsAt: isoOf(previous?.endsAt),
  })
}

/** Of the keys of a step: the scopes, and the instants that are no dates. */
export async function selectKeyValues(sql: Sql, { after, last }: Step) {
  const rows = await sql.all(`select ${columns} from keys where id > ?1 and id <= ?2 order by id`, [
    after,
    last,
  ])
  return rows.map((row) => ({
    id: String(row[0]),
    scopes: String(row[4]).split(' ').filter(Boolean),
    invalid: Object.entries(invalidInstants(row)),
  }))
}
