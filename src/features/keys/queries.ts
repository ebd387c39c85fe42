import * as Type from '../../contract/type.ts'
import { oneByOne, type Query, type Sql } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { DamagedRow, orDamage, readSound } from '../../db/records/damaged-row.ts'
import { defineTable } from '../../db/records/records.ts'
import { columnsOf, queryOnce } from '../../db/records/rows.ts'
import { storedBytes } from '../../db/records/stored-as.ts'
import { writesOf } from '../record-writes.ts'
import { type Key, keyRecord } from './contract/keys.ts'

const stored = { digest: storedBytes, previousDigest: Type.Optional(storedBytes) }
const StoredKey = Type.Object({ ...keyRecord.Item.properties, ...stored }, { $id: 'Key' })

/** A key with the digests of its text, and of the one that the last rotation replaced. */
export type StoredKey = Type.Static<typeof StoredKey>

export const keys = defineTable('keys', StoredKey)

/** All keys, those that ended within a year too, oldest first. A damaged one is left out. */
export const selectKeys = queryOnce(async (sql) => {
  const rows = await sql.all(`select ${keys.columns} from keys order by id`)
  return readSound(rows, keys.itemOf)
})

export const keyWrites = writesOf(keyRecord, keys)

const shown = defineTable('keys', keyRecord.Item)

export const keysList = listStatements<Record<never, never>, Key>('keys', {
  ...shown,
  conditionsOf: () => [],
})

export const selectKey = queryById(shown)

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
        select ${keys.columns} from ${from} join keys on digest = sent
        union all
        select ${keys.columns} from ${from} join keys on previous_digest = sent
      ) as found on true`,
      parameters,
    )
    const found = new Map<string, StoredKey | DamagedRow>()
    for (const [, ...row] of rows) {
      if (row[0] === null) continue
      const key = orDamage(() => keys.itemOf(row))
      for (const digest of row.slice(-2)) if (digest) found.set(hexOf(digest as Uint8Array), key)
    }
    const revision = (rows[0]?.[0] as bigint | undefined) ?? 0n
    return digests.map((digest) => {
      const key = found.get(hexOf(digest))
      return key instanceof DamagedRow ? key : { key, revision }
    })
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
    returning ${keys.columns}`,
    [endedAt, max],
  )
  return readSound(rows, keys.itemOf)
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}
