import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, RequestContext, ServiceContext, StreamContext } from '../context/context.ts'
import type { Operation } from '../contract/operation.ts'
import type { Db, IdempotencyClaim, Write } from '../db/db.ts'
import { authenticate, type Keys } from './authenticate.ts'
import { type ClaimedParts, compileClaim } from './idempotency.ts'
import { observationOf, originOf, traceparentOf } from './observe.ts'
import { endedSignal } from './response/ended-signal.ts'
import type { StoredResults } from './stored-results.ts'

/**
 * Compiles the context that a verb gets for a request. Its writes name the request as their origin. With a claim, its one
 * write runs once for that: a repetition returns the stored value and is marked as such; it throws `idempotency_key_reused`,
 * `idempotency_key_in_use`, `too_many_idempotency_keys`. The verb is unaware of it.
 */
export function compileContext(
  operation: Operation,
  { context, keys, results }: { context: ServiceContext; keys: Keys; results?: StoredResults },
) {
  const { returns, scope, idempotency } = operation
  const claimFor = idempotency && compileClaim(operation)
  const dbOf = compileRequestDb(context, results)
  const hasCaller = scope !== 'public'

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor | undefined,
    { parts, key }: { parts: ClaimedParts; key: string | undefined },
  ): RequestContext => {
    const { raw } = request
    const claim =
      actor && key !== undefined
        ? claimFor?.({ actor, clock: context.clock }, key, parts)
        : undefined
    if (claim) claim.obstacle = results?.findObstacle(claim.keyId)
    const own: RequestContext & { callerNow?: StreamContext['callerNow']; ended?: AbortSignal } = {
      ...context,
      actor,
      db: dbOf({ request, reply, actor, claim }),
    }
    // A stream may outlast what the key may do.
    if (returns === 'stream' && hasCaller) own.callerNow = () => authenticate(keys, raw)
    if (returns === 'file' && hasCaller) own.ended = endedSignal(request, reply)
    return own
  }
}

/** Whose writes a database is for. */
type Writer = {
  request: FastifyRequest
  reply: FastifyReply
  actor: Actor | undefined
  claim: IdempotencyClaim | undefined
}

function compileRequestDb(
  { db, clock }: ServiceContext,
  results: StoredResults | undefined,
): (writer: Writer) => Db {
  /** Inherits from the database: copies and closures for each request would cost as much as a read. */
  class RequestDb {
    private readonly writer: Writer
    private hasWritten = false

    constructor(writer: Writer) {
      this.writer = writer
    }

    async write<I, V>(write: Write<I, V>, input: I): Promise<V> {
      const { request, reply, actor, claim } = this.writer
      const observation = observationOf(reply.raw)
      const by = actor?.author ?? noCaller
      const sent = request.raw.headers.traceparent as string | undefined
      const traceparent = traceparentOf(sent, observation?.trace)
      const origin = originOf(
        { actor: by, now: clock(), requestId: request.id, traceparent },
        observation,
      )
      if (!claim) return db.write(write, input, origin)
      if (this.hasWritten) throw new Error(`${claim.operation} writes more than once.`)
      this.hasWritten = true
      const performed = await db.writeIdempotent(write, input, claim, origin)
      if (performed.isReplayed) reply.header('idempotency-replayed', 'true')
      else results?.add(claim.keyId, performed.bytes)
      return performed.value
    }
  }
  Object.setPrototypeOf(RequestDb.prototype, db)

  return (writer) => new RequestDb(writer) as unknown as Db
}

const noCaller = { type: 'command', name: 'serve' } as const
