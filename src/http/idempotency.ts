import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor, Context } from '../context/context.ts'
import { encodeTagged } from '../contract/int64-json.ts'
import { contentOf, type Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Db, IdempotencyClaim } from '../db/db.ts'
import { type Observation, originOf } from './observe.ts'

/** How long a stored response is replayed. */
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
 * Compiles a function that builds the claim of a key. Requests are equal when the ids of their paths and the known members
 * of their bodies are; an absent member counts as its default.
 */
export function compileClaim({ operationId, pathParameters = [], body, idempotency }: Operation) {
  const { properties = {} } = (body ? contentOf(body).schema : {}) as {
    properties?: Record<string, { absentMeans?: unknown }>
  }
  const known = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  const isWithheld = idempotency === 'withheld'
  return (
    { actor, clock }: Pick<Context, 'actor' | 'clock'>,
    key: string,
    {
      id = 0n,
      body: sent,
      ...parts
    }: { id?: bigint | string; body?: unknown; [parent: string]: unknown },
  ): IdempotencyClaim => {
    if (!actor) throw new Error(`${operationId} has no actor to claim a key for.`)
    const { keyId } = actor
    const now = clock()
    const values = (sent ?? {}) as Record<string, unknown>
    const parents = pathParameters.slice(0, -1).map(({ name }) => parts[name])
    const members = known.map(([name, schema]) => values[name] ?? schema.absentMeans)
    return {
      keyId,
      operation: operationId,
      key,
      fingerprint: hash('sha256', encodeTagged([id, ...parents, ...members]), 'buffer'),
      now,
      expiresAt: now + lifetimeMs,
      isWithheld,
    }
  }
}

/** What a request adds to the context of its verb. */
type RequestOf = Required<Pick<Context, 'request'>> & {
  actor: Actor | undefined
  observation: Observation | undefined
  claim?: IdempotencyClaim | undefined
  onReplay(): void
}

/**
 * The context of one request; its writes name it as their origin. With a claim, its one write runs once for that: a
 * repetition returns the stored value and calls `onReplay`; it throws `idempotency_key_reused`, `idempotency_key_in_use`.
 * The verb is unaware of it.
 */
export function requestContext(
  context: Context,
  { actor, request, observation, claim, onReplay }: RequestOf,
): Context {
  const { db, clock } = context
  let hasWritten = false
  const write: Db['write'] = async (transaction, input) => {
    const by = actor
      ? ({ type: 'key', name: actor.keyName, keyId: actor.keyId } as const)
      : noCaller
    const origin = originOf({ actor: by, now: clock(), requestId: request.id }, observation)
    if (!claim) return db.write(transaction, input, origin)
    if (hasWritten) throw new Error(`${claim.operation} writes more than once.`)
    hasWritten = true
    const performed = await db.writeIdempotent(transaction, input, claim, origin)
    if (performed.isReplayed) onReplay()
    return performed.value
  }
  return { ...context, actor, request, db: { ...db, write } }
}

const noCaller = { type: 'command', name: 'serve' } as const
