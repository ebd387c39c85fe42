import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor, RequestContext } from '../context/context.ts'
import type { ReceivedBytes } from '../contract/content.ts'
import { encodeTagged } from '../contract/int64-json.ts'
import { contentOf, type Operation } from '../contract/operation.ts'
import type { IdempotencyClaim } from '../db/db.ts'
import { invalid } from './request/problems.ts'

/** How long a stored response is replayed. */
const lifetimeMs = 24 * 60 * 60 * 1000
export const idempotencyKeyMax = 255

/** The key of an `Idempotency-Key` header: `"k"`, a string of RFC 9651, and `k` are the same. Throws `invalid_parameter`. */
export function readIdempotencyKey({ headers, raw }: FastifyRequest): string {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
  const isSentOnce = names.filter((name) => name.toLowerCase() === 'idempotency-key').length <= 1
  const key = isSentOnce ? unquoted(String(headers['idempotency-key'])) : undefined
  if (key !== undefined && /^[\x20-\x7e]+$/.test(key) && key.length <= idempotencyKeyMax) return key
  const detail = `must be sent once, with 1 to ${idempotencyKeyMax} printable ASCII characters, in double quotes or without any`
  throw invalid('invalid_parameter', [{ parameter: 'Idempotency-Key', detail }])
}

function unquoted(text: string): string | undefined {
  if (!/^"|"$/.test(text)) return text
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  return inner?.replace(/\\(.)/g, '$1')
}

export type ClaimedParts = {
  id?: bigint | string
  body?: unknown
  query?: Record<string, unknown>
  [parent: string]: unknown
}

/**
 * Compiles a function that builds the claim of a key. Requests are equal when the ids of their paths and the known members
 * of their bodies are; an absent member counts as its default. A body without a schema counts with all parameters but
 * `dryRun`: so a dry run finds out whether it was performed.
 */
export function compileClaim({ operationId, pathParameters = [], body, idempotency }: Operation) {
  const content = body && contentOf(body)
  const { properties = {} } = (content?.schema ?? {}) as {
    properties?: Record<string, { absentMeans?: unknown }>
  }
  const isFile = content !== undefined && content.schema === undefined
  const known = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  const isWithheld = idempotency === 'withheld'
  return (
    { actor: { keyId }, clock }: Pick<RequestContext<Actor>, 'actor' | 'clock'>,
    key: string,
    { id = 0n, body: sent, query, ...parts }: ClaimedParts,
  ): IdempotencyClaim => {
    const now = clock()
    const values = (sent ?? {}) as Record<string, unknown>
    const parents = pathParameters.slice(0, -1).map(({ name }) => parts[name])
    const members = isFile
      ? fileParts(sent as ReceivedBytes, query)
      : known.map(([name, schema]) => values[name] ?? schema.absentMeans)
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

function fileParts({ mediaType, bytes }: ReceivedBytes, query: Record<string, unknown> = {}) {
  const { dryRun: _, ...parameters } = query
  return [mediaType, hash('sha256', bytes), ...Object.entries(parameters).flat()]
}
