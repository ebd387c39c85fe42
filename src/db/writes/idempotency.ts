import { decodeTagged, encodeTagged } from '../../contract/int64-json.ts'
import type { Column, IdempotencyClaim, Outcome, Sql } from '../db.ts'
import { explaining, LockTimeout, Refusal } from '../errors.ts'

/** A concurrent transaction stored the result of a claim first. The repetition of this one finds that result. */
export class ClaimConflict extends Error {
  override name = 'ClaimConflict'
}

/** Waiting for a concurrent transaction that holds one of the claims timed out. */
export class ClaimHeld extends LockTimeout {
  override name = 'ClaimHeld'
}

/** The result of an earlier request. */
type Result = { fingerprint: Uint8Array; value: unknown }

const claimColumns: readonly Column[] = [
  { name: 'key_id', type: 'bigint' },
  { name: 'operation', type: 'text' },
  { name: 'key', type: 'text' },
]
const resultColumns: readonly Column[] = [
  ...claimColumns,
  { name: 'fingerprint', type: 'bytes' },
  { name: 'answer', type: 'text' },
  { name: 'bytes', type: 'bigint' },
  { name: 'expires_at', type: 'bigint' },
]

/** What identifies a claim: the primary key of its row. */
type ClaimId = Pick<IdempotencyClaim, 'keyId' | 'operation' | 'key'>

/** A claim's id as text, the same for a request and its repetitions. */
export function formatClaimId({ keyId, operation, key }: ClaimId): string {
  return `${keyId}/${operation}/${key}`
}

/** What a repetition gets. */
type Repetition<V> = { value: V; isReplayed: true } | { refusal: Refusal }

/** The stored results of claims, by `formatClaimId`. Throws `ClaimHeld`. */
export async function findResults(
  sql: Sql,
  claims: readonly IdempotencyClaim[],
): Promise<ReadonlyMap<string, Result>> {
  // Locked, so that the commit waits for synchronous standbys: the commit of the first request may still be
  // unconfirmed.
  return explainLockTimeout(() => selectResults(sql, claims, ` order by 1, 2, 3${sql.forUpdate}`))
}

async function selectResults(
  sql: Sql,
  claims: readonly (ClaimId & { now: number })[],
  lock = '',
): Promise<ReadonlyMap<string, Result>> {
  const { from, parameters } = sql.rows(claimColumns, claims.map(claimRow))
  const rows = await sql.all<[bigint, string, string, Uint8Array, string]>(
    `select stored.key_id, stored.operation, stored.key, fingerprint, answer
    from ${from} join idempotency_keys as stored
    on stored.key_id = input.key_id and stored.operation = input.operation and stored.key = input.key
    where expires_at > ?${parameters.length + 1}${lock}`,
    [...parameters, instantOf(claims)],
  )
  return new Map(
    rows.map(([keyId, operation, key, fingerprint, answer]) => [
      formatClaimId({ keyId, operation, key }),
      { fingerprint, value: decodeTagged(answer) },
    ]),
  )
}

/** The encoded result of a claim, and how much room its row takes. */
type ClaimedResult = { claim: IdempotencyClaim; answer: string; bytes: number }

/** About what a row takes besides its texts. */
const rowBytes = 100

/** Encodes the result of a claim; a secret is not stored. */
export function resultOf(claim: IdempotencyClaim, value: unknown): ClaimedResult {
  const { operation, key, isWithheld } = claim
  const answer = encodeTagged(isWithheld ? withheld : value)
  const bytes = rowBytes + operation.length + key.length + Buffer.byteLength(answer)
  return { claim, answer, bytes }
}

/**
 * Stores the results of claims, in the transaction of their effects. An expired result is replaced. Throws
 * `ClaimConflict`, `ClaimHeld`.
 */
export async function insertResults(sql: Sql, results: readonly ClaimedResult[]): Promise<void> {
  const { insert, parameters } = insertOf(sql, results)
  const stored = await explainLockTimeout(() =>
    sql.all(
      `${insert} where true on conflict (key_id, operation, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, bytes = excluded.bytes,
        expires_at = excluded.expires_at
      where idempotency_keys.expires_at <= ?${parameters.length + 1} returning key_id`,
      [...parameters, instantOf(results.map(({ claim }) => claim))],
    ),
  )
  if (stored.length < results.length) throw new ClaimConflict()
}

/** As `insertResults`, of claims without any result. Where one has a result, also an expired one, the statement fails. */
export async function insertNewResults(
  sql: Pick<Sql, 'all' | 'rows'>,
  results: readonly ClaimedResult[],
): Promise<void> {
  const { insert, parameters } = insertOf(sql, results)
  await explainLockTimeout(() => sql.all(insert, parameters))
}

function insertOf(sql: Pick<Sql, 'rows'>, results: readonly ClaimedResult[]) {
  // In one order in all transactions, so that they cannot deadlock.
  const sorted = results.toSorted((a, b) =>
    formatClaimId(a.claim) < formatClaimId(b.claim) ? -1 : 1,
  )
  const { from, parameters } = sql.rows(
    resultColumns,
    sorted.map(({ claim, answer, bytes }) => [
      ...claimRow(claim),
      ...[claim.fingerprint, answer, bytes, claim.expiresAt],
    ]),
  )
  const names = resultColumns.map(({ name }) => name).join(', ')
  return {
    insert: `insert into idempotency_keys (${names}) select ${names} from ${from}`,
    parameters,
  }
}

/** Stored in place of a secret. */
const withheld = null

/** What a repetition gets for the stored result of the first request: a replay, or a refusal. */
export function replay<V>({ fingerprint, value }: Result, claim: IdempotencyClaim): Repetition<V> {
  if (!Buffer.from(fingerprint).equals(claim.fingerprint)) {
    return reused(
      'This Idempotency-Key was used for another request. Send a new key with a new request.',
    )
  }
  if (claim.isWithheld) {
    return reused(
      'This request was performed before, and its response contained a secret, which is not stored. Send a new key to perform it again.',
    )
  }
  return { value: value as V, isReplayed: true }
}

/** As `replay`, of a first request in the same transaction. A refusal is not stored, so only an equal request shares it. */
export function repeat<V>(
  outcome: Outcome<V>,
  { fingerprint }: IdempotencyClaim,
  claim: IdempotencyClaim,
): Repetition<V> {
  if ('value' in outcome) return replay({ fingerprint, value: outcome.value }, claim)
  const isEqual = Buffer.from(fingerprint).equals(claim.fingerprint)
  return isEqual ? outcome : { refusal: keyInUse() }
}

function reused(message: string): { refusal: Refusal } {
  return { refusal: new Refusal('idempotency_key_reused', message) }
}

/** The refusal of a request whose result cannot be stored. */
export function tooManyKeys(obstacle: string): Refusal {
  return new Refusal('too_many_idempotency_keys', obstacle)
}

function claimRow({ keyId, operation, key }: ClaimId) {
  return [keyId, operation, key]
}

/** One instant for all claims of a batch, so that each statement has the same ones expired. */
function instantOf(claims: readonly { now: number }[]): number {
  return Math.min(...claims.map(({ now }) => now))
}

function explainLockTimeout<T>(work: () => Promise<T> | T): Promise<T> {
  return explaining(work, (error) =>
    error instanceof LockTimeout ? new ClaimHeld(error.message, { cause: error }) : error,
  )
}

/** The refusal of a request whose claim another request still holds. */
export function keyInUse(): Refusal {
  return new Refusal(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is in progress. Retry in a moment.',
  )
}
