import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../db/page.ts'
import { encodeCursor } from './cursor.ts'
import type { Operation } from './operation.ts'
import type { ParsedQuery } from './parameters.ts'
import { replaceParameter } from './query-string.ts'

type Serialize = (item: unknown) => string
type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  parsed: ParsedQuery,
) => void
export type BaseUrlOf = (request: FastifyRequest) => string

const mediaType = 'application/json; charset=utf-8'

/** Compiles how an operation's answers are written: body, paging, `Location`, `ETag` and what it saves. */
export function compileRespond(operation: Operation, baseUrlOf: BaseUrlOf): Respond {
  const serialize: Serialize = fastJson(forSerializer(operation.item) as object)
  if (operation.answers === 'page') return respondWithPage(operation, serialize, baseUrlOf)
  return (request, reply, record) => {
    const body = serialize(record)
    if (operation.answers === 'created') {
      const { id } = record as { id: bigint }
      reply.code(201).header('location', `${baseUrlOf(request)}${operation.path}/${id}`)
    }
    sendTagged(request, reply, body, tagOf(body))
  }
}

function respondWithPage(
  { path, tagFilter }: Operation,
  serialize: Serialize,
  baseUrlOf: BaseUrlOf,
): Respond {
  return (request, reply, answer, { query, list }) => {
    const { items, hasMore, total } = answer as Page<{ id: bigint }>
    const bodies = items.map(serialize)
    const last = items.at(-1)
    if (hasMore && last) {
      const [, sent = ''] = /\?(.*)/s.exec(request.raw.url ?? '') ?? []
      const next = replaceParameter(sent, 'cursor', encodeCursor(last.id, list))
      reply.header('link', `<${baseUrlOf(request)}${path}?${next}>; rel="next"`)
    }
    if (total !== undefined) {
      reply.header('x-total-count', String(total)).header('preference-applied', 'count=exact')
    }
    const body = `[${bodies.join(',')}]`
    const isOneRecord =
      tagFilter !== undefined &&
      bodies.length === 1 &&
      (query[tagFilter] as unknown[] | undefined)?.length === 1
    if (isOneRecord) sendTagged(request, reply, body, tagOf(bodies[0] as string))
    else reply.type(mediaType).send(body)
  }
}

/** A strong entity tag (RFC 9110, section 8.8.3): it changes whenever a byte of the record does. */
function tagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string, tag: string): void {
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || !matches(request.headers['if-none-match'], tag)) {
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

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110, section 13.1.2). */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  )
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
