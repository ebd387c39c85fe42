import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Db, Once } from '../db/seam.ts'
import { ServiceError } from '../errors.ts'
import type { BoundOperation, Operation } from './operation.ts'

/** A repetition is recognised for this long. */
const lifetimeMs = 24 * 60 * 60 * 1000
export const idempotencyKeyMax = 255

/**
 * The key of the `Idempotency-Key` header, where one was sent: `"k"`, a string of RFC 9651, and `k` are the same.
 * Throws `invalid_parameter`.
 */
export function readIdempotencyKey({ headers, raw }: FastifyRequest): string | undefined {
  const text = headers['idempotency-key']
  if (text === undefined) return undefined
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
  const isSentOnce = names.filter((name) => name.toLowerCase() === 'idempotency-key').length <= 1
  const key = isSentOnce ? unquoted(String(text)) : undefined
  if (key !== undefined && /^[\x20-\x7e]+$/.test(key) && key.length <= idempotencyKeyMax) return key
  const detail = `must be sent once, with 1 to ${idempotencyKeyMax} printable ASCII characters, in double quotes or without any`
  throw new ServiceError('invalid_parameter', `Idempotency-Key ${detail}.`, {
    problems: [{ parameter: 'Idempotency-Key', detail }],
  })
}

function unquoted(text: string): string | undefined {
  if (!/^"|"$/.test(text)) return text
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  return inner?.replace(/\\(.)/g, '$1')
}

/**
 * Compiles what tells one request of an operation from another: its id and the members of its body that the operation
 * knows, those that are absent as what they mean then.
 */
export function compileFingerprint({ body }: Operation) {
  const { properties = {} } = (body ?? {}) as {
    properties?: Record<string, { absentMeans?: unknown }>
  }
  const known = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  return (id: bigint, sent: Record<string, unknown> | undefined): Uint8Array => {
    const members = known.map(([name, schema]) => sent?.[name] ?? schema.absentMeans)
    const text = JSON.stringify([id, ...members], (_key, value) =>
      typeof value === 'bigint' ? { int64: String(value) } : value,
    )
    return hash('sha256', text, 'buffer')
  }
}

type Repetition = Pick<Once, 'keyId' | 'key' | 'fingerprint'> & {
  /** Told when the answer is that of an earlier request. */
  onReplay(): void
}

/**
 * Performs an operation so that its one write is done once for the key; a repetition is answered as the first request was.
 * Throws `idempotency_key_reused`, `idempotency_key_in_use`.
 */
export function performOnce(
  { operation: { operationId }, perform }: BoundOperation,
  context: Context,
  input: Parameters<BoundOperation['perform']>[1],
  { keyId, key, fingerprint, onReplay }: Repetition,
): Promise<unknown> {
  const now = context.clock()
  const once = { keyId, operation: operationId, key, fingerprint, now, expiresAt: now + lifetimeMs }
  let hasWritten = false
  const write: Db['write'] = async (transaction, value) => {
    if (hasWritten) throw new Error(`${operationId} writes more than once.`)
    hasWritten = true
    const performed = await context.db.writeOnce(transaction, value, once)
    if (performed.isReplayed) onReplay()
    return performed.value
  }
  return perform({ ...context, db: { ...context.db, write } }, input)
}
