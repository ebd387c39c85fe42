import { decodeTagged } from '../contract/int64-json.ts'
import { oneByOne, type Row, type Sql } from './db.ts'
import { type ClaimId, formatClaimId, parseClaimId } from './idempotency.ts'
import { scanStep } from './lists/count.ts'
import { firstId, selectExisting, selectLastGiven } from './lists/steps.ts'
import {
  type Check,
  defineStorage,
  type Finding,
  type RecordName,
  type Storage,
  type Table,
} from './storage.ts'

const table: Table = {
  name: 'idempotency_keys',
  key: ['key_id', 'operation', 'key'],
  mayBeDeleted: true,
  columns: {
    key_id: { type: 'int64' },
    operation: { type: 'text' },
    key: { type: 'text' },
    fingerprint: { type: 'bytes' },
    answer: { type: 'text', isNullable: true },
    expires_at: { type: 'int64' },
  },
}

/** The stored responses of idempotent requests. `features` declares which records they name. */
export function idempotencyStorage(features: Storage): Storage {
  return defineStorage({
    tables: [table],
    writes: [deleteExpiredKeys],
    checks: [checkOf(features)],
    jobs: [
      {
        name: 'forgetIdempotencyKeys',
        intervalMs: 10_000,
        runStep: (db, nowMs) => db.write(deleteExpiredKeys, nowMs),
      },
    ],
  })
}

/** The most keys that one transaction deletes. */
const forgottenMax = 1_000

/** Deletes expired keys, one step at a time; returns whether more may be left. */
const deleteExpiredKeys = oneByOne<number, boolean>({
  name: 'deleteExpiredKeys',
  async run(sql, now) {
    const rows = await sql.all(
      `delete from idempotency_keys where (key_id, operation, key) in
        (select key_id, operation, key from idempotency_keys where expires_at <= ?1
        order by expires_at limit ${forgottenMax})
      returning key_id`,
      [now],
    )
    return rows.length === forgottenMax
  },
})

function checkOf(features: Storage): Check {
  return {
    name: 'idempotencyKeys',
    promise: 'the stored results of idempotency keys match the records',
    scan: {
      name: 'verifyIdempotencyKeys',
      async run(sql, _input, checkTime) {
        const findings: Finding[] = []
        for await (const results of resultStepsOf(sql, checkTime)) {
          for (const { result, fault } of await findFaults(sql, features, results)) {
            findings.push({
              record: { table: table.name, id: formatClaimId(result) },
              message: `The stored result of the Idempotency-Key ${JSON.stringify(result.key)} of ${result.operation} ${fault}.`,
              repair: 'delete it, so that a repeated request is performed again',
            })
          }
        }
        return findings
      },
    },
    repair: oneByOne<RecordName, null>({
      name: 'forgetResult',
      async run(sql, record) {
        const result = await lockResult(sql, parseClaimId(record.id))
        const faults = result ? await findFaults(sql, features, [result]) : []
        if (result && faults.length > 0) await deleteResult(sql, result)
        return null
      },
    }),
  }
}

async function findFaults(
  sql: Sql,
  { effects, tables }: Storage,
  results: readonly StoredResult[],
) {
  const read = results.map((result) => ({ result, ...readResult(result, effects) }))
  const named = tables.filter(({ name }) => Object.values(effects).includes(name))
  const isThere = new Map<string, (id: bigint) => boolean>()
  for (const { name, mayBeDeleted } of named) {
    const ids = read.flatMap((entry) => (entry.table === name ? (entry.id ?? []) : []))
    const existing = mayBeDeleted ? undefined : await selectExisting(sql, name, ids)
    // Read after the responses: their ids were assigned by then.
    const last = await selectLastGiven(sql, name)
    isThere.set(name, (id) => existing?.has(id) ?? id <= last)
  }
  return read.flatMap(({ result, table, id, fault }) => {
    if (fault !== undefined) return [{ result, fault }]
    if (table === undefined || id === undefined || isThere.get(table)?.(id)) return []
    return [{ result, fault: `names row ${id} of ${table}, which does not exist` }]
  })
}

type Reading = { table?: string; id?: bigint; fault?: string }

function readResult({ operation, result }: StoredResult, effects: Storage['effects']): Reading {
  if (result === null) return { fault: 'is missing' }
  const table = effects[operation]
  let value: unknown
  try {
    value = decodeTagged(result)
  } catch {
    return { fault: 'cannot be read' }
  }
  if (table === undefined) return {}
  const id = (value as { id?: unknown } | null)?.id
  return typeof id === 'bigint' ? { table, id } : { fault: 'names no record' }
}

/** The stored response of a request with an Idempotency-Key. */
type StoredResult = ClaimId & { result: string | null }

const selectResults = 'select key_id, operation, key, answer from idempotency_keys'

/** All stored responses, in steps of their keys. */
async function* resultStepsOf(sql: Sql, checkTime: () => void): AsyncGenerator<StoredResult[]> {
  let last: ClaimId | undefined = { keyId: firstId, operation: '', key: '' }
  while (last) {
    checkTime()
    const rows: Row[] = await sql.all(
      `${selectResults} where (key_id, operation, key) > (?1, ?2, ?3)
      order by key_id, operation, key limit ${scanStep}`,
      [last.keyId, last.operation, last.key],
    )
    const step = rows.map(resultOf)
    yield step
    last = step.at(-1)
  }
}

async function lockResult(
  sql: Sql,
  { keyId, operation, key }: ClaimId,
): Promise<StoredResult | undefined> {
  const [row] = await sql.all(
    `${selectResults} where key_id = ?1 and operation = ?2 and key = ?3${sql.forUpdate}`,
    [keyId, operation, key],
  )
  return row && resultOf(row)
}

function resultOf(row: Row): StoredResult {
  const [keyId, operation, key, result] = row as [bigint, string, string, string | null]
  return { keyId, operation, key, result }
}

async function deleteResult(sql: Sql, { keyId, operation, key }: ClaimId): Promise<void> {
  await sql.all('delete from idempotency_keys where key_id = ?1 and operation = ?2 and key = ?3', [
    keyId,
    operation,
    key,
  ])
}
