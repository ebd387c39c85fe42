import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TakeSlice } from '../../context/slices.ts'
import type { StreamContent } from '../../contract/content.ts'
import { headersWithheldFrom304 } from '../../contract/response-headers.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { timers } from '../../timers.ts'
import { observationOf } from '../observe.ts'
import { codingFor } from '../request/accept.ts'
import { pushPieces } from './pieces.ts'

/** Low, since a stream is compressed anew for each client. */
const brotliQuality = 4

/** How long a stopping source may take to end, and its client to read the end. */
const stoppingMaxMs = 1_000

/** What sending needs besides the content. */
export type Sending = {
  request: FastifyRequest
  reply: FastifyReply
  /** Takes a slice for each chunk; absent for a source that takes its slices itself, and for bytes. */
  takeSlice?: TakeSlice | undefined
  /** Aborted when an endless source must end; absent for one that ends by itself. */
  stopping?: AbortSignal | undefined
}

/** Sends a stream, compressed where the client accepts it and the stream has an end. For HEAD it is not opened. */
export function sendStream(open: StreamContent, sending: Sending): void {
  const { request, reply, stopping } = sending
  const coding = stopping ? 'identity' : codingFor(request.headers['accept-encoding'])
  if (!stopping) addVary(reply, 'Accept-Encoding')
  if (coding !== 'identity') reply.header('content-encoding', coding)
  if (request.method === 'HEAD') return void sendNoBody(reply)
  const source = openSource(open, sending)
  if (coding === 'identity') return void reply.send(source)
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  const compress = coding === 'br' ? createBrotliCompress({ params }) : createGzip()
  reply.send(pipeline(source, compress, () => undefined))
}

export function addVary(reply: FastifyReply, name: 'Accept' | 'Accept-Encoding'): void {
  reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '))
}

/** Sends the headers of a response to HEAD, without a length of their own. */
export function sendNoBody(reply: FastifyReply): void {
  reply.send(Readable.from([]))
}

/** Sends 304 to GET and HEAD: headers that a cached response needs are repeated, what is about the request belongs to the 200. */
export function sendNotModified(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { operation } = routeOptions.config
  if (operation) for (const name of headersWithheldFrom304(operation)) reply.removeHeader(name)
  reply.code(304)
  // Fastify would add `Content-Length: 0`, which is not the length of the 200.
  if (method === 'HEAD') sendNoBody(reply)
  else reply.send()
}

/** Headers about a body, removed where an error replaces it. */
const contentHeaders = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-security-policy',
  'etag',
  'last-modified',
]

/**
 * Opens a source as a stream. The source is closed as soon as the stream is destroyed, even while it waits for its next
 * chunk.
 */
export function openSource(open: StreamContent, sending: Sending): Readable {
  const { request, reply, takeSlice, stopping } = sending
  const closing = new AbortController()
  const iterator = open(closing.signal)[Symbol.asyncIterator]()
  let isEnded = false

  async function next() {
    await takeSlice?.(request.caller?.keyId)
    return iterator.next()
  }

  const stream = new Readable({
    read() {
      next().then(
        ({ done, value }) => {
          if (isEnded) return
          if (done) stream.push(null)
          else pushPieces(stream, value)
        },
        (error) => {
          if (isEnded) return
          // Waits that take the signal reject with it.
          if (closing.signal.aborted) stream.push(null)
          else stream.destroy(error)
        },
      )
    },
    destroy(error, callback) {
      isEnded = true
      closing.abort()
      iterator.return?.().catch(() => undefined)
      callback(error)
    },
  })
  function stop() {
    closing.abort()
    const late = timers.setTimeout(() => reply.raw.destroy(), stoppingMaxMs).unref()
    reply.raw.once('close', () => timers.clearTimeout(late))
  }
  if (stopping) {
    stopping.addEventListener('abort', stop, { once: true, signal: closing.signal })
    if (stopping.aborted) stop()
  }
  stream.once('error', (error) => {
    if (reply.raw.headersSent) return void observationOf(reply.raw)?.fail(brokenOff(error))
    for (const name of contentHeaders) {
      reply.removeHeader(name)
      reply.raw.removeHeader(name)
    }
    reply.header('cache-control', 'no-store')
  })
  return stream
}

/** The error of a source after a part of the response was sent. */
function brokenOff(cause: Error): ServiceError {
  return new ServiceError('internal_error', 'A response broke off: its source failed.', { cause })
}
