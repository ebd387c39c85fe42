import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Context } from '../context/context.ts'
import { encodeTagged } from '../contract/int64-json.ts'
import { contentOf, type Operation } from '../contract/operation.ts'
import type { Db, IdempotencyClaim, Write } from '../db/db.ts'
import { type Observation, originOf, traceparentOf } from './observe.ts'
import { invalid } from './request/problems.ts'
import type { StoredResults } from './stored-results.ts'

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
  throw invalid('invalid_parameter', [{ parameter: 'Idempotency-Key', detail }])
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
  const { properties = {} } = ((body && contentOf(body).schema) ?? {}) as {
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
  claim: IdempotencyClaim | undefined
  reply: FastifyReply
}

/**
 * Compiles the context of one request: its writes name it as their origin. With a claim, its one write runs once for that:
 * a repetition returns the stored value and is marked as such; it throws `idempotency_key_reused`, `idempotency_key_in_use`.
 * The verb is unaware of it.
 */
export function compileRequestContext(
  context: Context,
  results: StoredResults | undefined,
): (own: RequestOf) => Context {
  const { db, clock } = context

  /** Inherits from the database: copies and closures for each request would cost as much as a read. */
  class RequestDb {
    private readonly own: RequestOf
    private hasWritten = false

    constructor(own: RequestOf) {
      this.own = own
    }

    async write<I, V>(write: Write<I, V>, input: I): Promise<V> {
      const { actor, request, observation, claim, reply } = this.own
      const by = actor
        ? ({ type: 'key', name: actor.keyName, keyId: actor.keyId } as const)
        : noCaller
      const traceparent = traceparentOf(request.traceparent, observation?.trace)
      const origin = originOf(
        { actor: by, now: clock(), requestId: request.id, traceparent },
        observation,
      )
      if (!claim) return db.write(write, input, origin)
      if (this.hasWritten) throw new Error(`${claim.operation} writes more than once.`)
      this.hasWritten = true
      const performed = await db.writeIdempotent(write, input, claim, origin)
      if (performed.isReplayed) reply.header('idempotency-replayed', 'true')
      else results?.add(claim.keyId)
      return performed.value
    }
  }
  Object.setPrototypeOf(RequestDb.prototype, db)

  return (own) => ({
    ...context,
    actor: own.actor,
    request: own.request,
    db: new RequestDb(own) as unknown as Db,
  })
}

const noCaller = { type: 'command', name: 'serve' } as const
