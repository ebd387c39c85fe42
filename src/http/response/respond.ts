import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTagOf, isMatch } from '../../context/entity-tag.ts'
import type { TakeSlice } from '../../context/slices.ts'
import type { FileContent, StreamContent } from '../../contract/content.ts'
import { isChosenByAccept, type Operation } from '../../contract/operation.ts'
import { ownKeywords } from '../../contract/schemas.ts'
import type { Page, Position } from '../../db/lists/page.ts'
import { encodeCursor } from '../request/cursor.ts'
import type { ParsedQuery } from '../request/parameters.ts'
import { replaceParameter } from '../request/query-string.ts'
import { type Compressible, sendCompressible } from './compressible.ts'
import { sendFile } from './file.ts'
import { inPieces, pieceBytes } from './pieces.ts'
import { type Sending, sendNotModified, sendStream } from './stream.ts'

type Serialize = (item: unknown) => string
type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  parsed: ParsedQuery,
) => void
export type BaseUrlOf = (request: FastifyRequest) => string

/** What responses need besides their operation. */
export type Responding = { baseUrlOf: BaseUrlOf; takeSlice: TakeSlice } & Pick<Sending, 'stopping'>

const mediaType = 'application/json; charset=utf-8'

/** By schema; the services of a process share them. */
const serializers = new WeakMap<object, Serialize>()

/** Compiles the serializer of an operation's record; JSON text is passed through. */
function compileSerialize({ item }: Operation): Serialize {
  // Compiled on first use: to compile all would slow each start.
  let serialize: Serialize | undefined
  return (record) => {
    if (typeof record === 'string') return record
    serialize ??= serializerOf(item as object)
    return serialize(record)
  }
}

function serializerOf(schema: object): Serialize {
  const serialize =
    serializers.get(schema) ?? (fastJson(forSerializer(schema) as object) as Serialize)
  serializers.set(schema, serialize)
  return serialize
}

/** Compiles the responder of an operation: body, paging, `Location`, `ETag` and 304. */
export function compileRespond(
  operation: Operation,
  { baseUrlOf, ...sending }: Responding,
): Respond {
  const { returns, path, hasEntityTag } = operation
  const serialize = compileSerialize(operation)
  if (returns === 'page') return respondWithPage(operation, serialize, baseUrlOf)
  if (returns === 'nothing') return (_request, reply) => void reply.code(204).send()
  const sendTagged = compileSendTagged(operation)
  if (returns === 'file' || returns === 'stream') return respondWithContent(operation, sending)
  return (request, reply, result) => {
    const { record, isNew, ...own } =
      returns === 'replaced'
        ? (result as { record: unknown; isNew: boolean; tag?: string | undefined })
        : { record: result, isNew: returns === 'created' }
    const body = serialize(record)
    const tag = 'tag' in own ? own.tag : hasEntityTag ? entityTagOf(body) : undefined
    if (isNew) {
      const address =
        returns === 'created'
          ? `${path}/${(record as { id: bigint }).id}`
          : filledPath(path, request)
      reply.code(201).header('location', `${baseUrlOf(request)}${address}`)
    }
    if (tag !== undefined) sendTagged(request, reply, body, tag)
    else reply.type(mediaType).send(body)
  }
}

function filledPath(path: string, { params }: FastifyRequest): string {
  if (!path.includes('{')) return path
  const ids = params as Record<string, string>
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? ''))
}

/** Responds with a stream, a file, or a constant body in the coding that the client prefers. */
function respondWithContent(
  operation: Operation,
  { stopping, takeSlice }: Omit<Responding, 'baseUrlOf'>,
): Respond {
  const { returns, mediaTypes = [mediaType], isEndless, isUploaded = false } = operation
  const isChosen = isChosenByAccept(operation)
  return (request, reply, result) => {
    const sending = { request, reply, ...(isEndless ? { stopping } : { takeSlice }) }
    if (returns === 'stream') {
      reply.type(mediaTypes[0] ?? mediaType)
      sendStream(result as StreamContent, sending)
    } else if ('representation' in (result as object)) {
      sendCompressible(request, reply, result as Compressible).catch((error) => reply.send(error))
    } else {
      const { read, tag, ...file } = result as FileContent
      const cacheControl = 'private, no-cache'
      const sent = { ...file, tag: `"${tag}"`, body: read, cacheControl, isChosen, isUploaded }
      sendFile(sent, sending)
    }
  }
}

/** A serialized page and its link. */
type WrittenPage = {
  items: readonly unknown[]
  text: string
  /** The body to send: text, or its bytes. */
  body: string | Buffer
  records: readonly string[]
  link?: { for: string; value: string }
}

function respondWithPage(
  operation: Operation,
  serialize: Serialize,
  baseUrlOf: BaseUrlOf,
): Respond {
  const { path, entityTagFilter } = operation
  const sendTagged = compileSendTagged(operation)
  // Requests that share a page are answered consecutively, and share its serialization.
  let last: WrittenPage | undefined

  function write({ items }: Page<unknown>): WrittenPage {
    if (last?.items === items) return last
    const records = items.map(serialize)
    const text = `[${records.join(',')}]`
    const body = text === last?.text ? last.body : asSent(text)
    last = { items, text, body, records }
    return last
  }

  function linkOf(
    written: WrittenPage,
    next: Position,
    baseUrl: string,
    request: FastifyRequest,
    list: string,
  ) {
    const { url = '' } = request.raw
    const address = `${baseUrl} ${url}`
    if (written.link?.for !== address) {
      const [, sent = ''] = /\?(.*)/s.exec(url) ?? []
      const value = encodeCursor(next, list)
      const query = replaceParameter(sent, { name: 'cursor', value, removed: 'after' })
      const own = filledPath(path, request)
      written.link = { for: address, value: `<${baseUrl}${own}?${query}>; rel="next"` }
    }
    return written.link.value
  }

  return (request, reply, result, { filter, list }) => {
    const page = result as Page<unknown>
    const written = write(page)
    if (page.next !== undefined)
      reply.header('link', linkOf(written, page.next, baseUrlOf(request), request, list))
    if (page.position !== undefined) reply.header('petstore-position', String(page.position))
    if (page.total !== undefined) {
      const others = reply.getHeader('preference-applied')
      const applied = others === undefined ? 'count=exact' : `count=exact, ${others}`
      reply.header('x-total-count', String(page.total)).header('preference-applied', applied)
    }
    const isOneRecord =
      entityTagFilter !== undefined &&
      written.records.length === 1 &&
      (filter[entityTagFilter] as unknown[] | undefined)?.length === 1
    if (isOneRecord)
      sendTagged(request, reply, written.text, entityTagOf(written.records[0] as string))
    else reply.type(mediaType).send(written.body)
  }
}

/** Text saves a system call, but is copied for each client that does not read it immediately. */
const textLengthMax = 32_768

function asSent(text: string): string | Buffer {
  return text.length > textLengthMax ? Buffer.from(text) : text
}

/** Compiles the sending of a record with its entity tag: in full, or as a 304. */
function compileSendTagged(operation: Operation) {
  const isConditional = operation.condition === 'If-None-Match'

  return (request: FastifyRequest, reply: FastifyReply, body: string, tag: string): void => {
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    const known = request.headers['if-none-match']
    if (!isConditional || known === undefined || !isMatch(known, tag)) {
      reply.type(mediaType).send(body)
      return
    }
    sendNotModified(request, reply)
  }
}

/** A hook that turns a large body into a stream of pieces. */
export function sendInPieces(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isWhole || payload.length <= pieceBytes) return void done(null, payload)
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  reply.header('content-length', String(body.length))
  done(null, inPieces(body))
}

const notSerialized = new Set(['$id', 'format', 'pattern', 'examples', ...ownKeywords])

/** The serializer supports neither our keywords nor the ids of shared schemas. */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key]) => !notSerialized.has(key))
  return Object.fromEntries(entries.map(([key, value]) => [key, forSerializer(value)]))
}
