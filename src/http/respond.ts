import type { OutgoingHttpHeaders } from 'node:http'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../db/page.ts'
import { encodeCursor } from './cursor.ts'
import { entityTagOf, isKnown } from './entity-tag.ts'
import type { Operation } from './operation.ts'
import type { ParsedQuery } from './parameters.ts'
import { replaceParameter } from './query-string.ts'

export type Serialize = (item: unknown) => string
type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  parsed: ParsedQuery,
) => void
export type BaseUrlOf = (request: FastifyRequest) => string

const mediaType = 'application/json; charset=utf-8'

/** Compiles how a record of an operation is written. */
export function compileSerialize({ item }: Operation): Serialize {
  return fastJson(forSerializer(item) as object)
}

/** Compiles how an operation's answers are written: body, paging, `Location`, `ETag` and what it saves. */
export function compileRespond(
  operation: Operation,
  serialize: Serialize,
  baseUrlOf: BaseUrlOf,
): Respond {
  const { answers, path, isTagged } = operation
  if (answers === 'page') return respondWithPage(operation, serialize, baseUrlOf)
  if (answers === 'nothing') return (_request, reply) => void reply.code(204).send()
  return (request, reply, record) => {
    const body = serialize(record)
    if (answers === 'created') {
      const { id } = record as { id: bigint }
      reply.code(201).header('location', `${baseUrlOf(request)}${path}/${id}`)
    }
    if (isTagged) sendTagged(request, reply, body, entityTagOf(body))
    else reply.type(mediaType).send(body)
  }
}

function respondWithPage(
  { path, tagFilter }: Operation,
  serialize: Serialize,
  baseUrlOf: BaseUrlOf,
): Respond {
  return (request, reply, answer, { filter, list }) => {
    const { items, next, total } = answer as Page<unknown>
    const bodies = items.map(serialize)
    if (next !== undefined) {
      const [, sent = ''] = /\?(.*)/s.exec(request.raw.url ?? '') ?? []
      const query = replaceParameter(sent, 'cursor', encodeCursor(next, list))
      reply.header('link', `<${baseUrlOf(request)}${path}?${query}>; rel="next"`)
    }
    if (total !== undefined) {
      reply.header('x-total-count', String(total)).header('preference-applied', 'count=exact')
    }
    const body = `[${bodies.join(',')}]`
    const isOneRecord =
      tagFilter !== undefined &&
      bodies.length === 1 &&
      (filter[tagFilter] as unknown[] | undefined)?.length === 1
    if (isOneRecord) sendTagged(request, reply, body, entityTagOf(bodies[0] as string))
    else reply.type(mediaType).send(body)
  }
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string, tag: string): void {
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const known = request.headers['if-none-match']
  if (!isRead || known === undefined || !isKnown(known, tag)) {
    reply.type(mediaType).send(body)
    return
  }
  // A 304 repeats what the kept answer may need; how many records match is for the 200.
  reply.removeHeader('x-total-count').removeHeader('preference-applied')
  if (request.method === 'GET') {
    reply.code(304).send()
  } else {
    // The framework would say Content-Length: 0, and a 304 may tell the length of the 200 or none.
    reply
      .hijack()
      .raw.writeHead(304, { ...reply.getHeaders() } as OutgoingHttpHeaders)
      .end()
  }
}

/** The serializer knows neither our words nor the ids of shared schemas. */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([key]) => !['$id', 'allowed', 'format', 'pattern'].includes(key),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, forSerializer(value)]))
}
