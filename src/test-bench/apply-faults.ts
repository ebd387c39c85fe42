import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { headersOf } from '../contract/response-headers.ts'
import { ServiceError } from '../contract/service-error.ts'
import { challengeFor } from '../http/authenticate.ts'
import { prepareError } from '../http/response/send-error.ts'
import { codesBeforeKey } from '../openapi/error-responses.ts'
import { sleep } from '../timers.ts'
import type { Fault } from './faults.ts'

type Payload = string | Buffer | null | undefined

const jsonType = 'application/json; charset=utf-8'

/** A request and its response. */
export type Exchange = {
  request: FastifyRequest
  reply: FastifyReply
  stopping: AbortSignal
}

/** The start of a response whose header block never ends. */
const unendedHeaders = 'HTTP/1.1 200 OK\r\nContent-Type: applicat'
const dripBytes = 16

/** The error that a fault or `Prefer` asked for, as the operation sends it; removes what its response would not have. */
export function forceError(code: ErrorCode, { request, reply }: Exchange): ServiceError {
  const { operation } = request.routeOptions.config
  removeOwnHeaders(reply, code, operation)
  const message = `${errorCodes[code].title}, because a test asked for this error.`
  return new ServiceError(code, message, {
    headers: challengeFor(code, message, operation?.scope),
  })
}

/**
 * Applies a fault before the operation is performed. Returns whether the request ends here: a response was sent or the
 * connection closed. Throws the forced error.
 */
export async function applyBefore(fault: Fault, exchange: Exchange): Promise<boolean> {
  const { request, reply, stopping } = exchange
  await pause(fault.delayMs, stopping)
  if (fault.cut === 'before') {
    reply.hijack()
    request.raw.socket.destroy()
    return true
  }
  if (fault.violation) {
    reply.send(violate(reply, fault.violation))
    return true
  }
  if (fault.error) throw forceError(fault.error, exchange)
  return false
}

/** Applies a fault with a status to the response that is about to be sent: its delay, and what replaces the response. */
export async function replaceAfter(
  fault: Fault,
  exchange: Exchange,
  payload: Payload,
): Promise<Payload> {
  const { request, reply, stopping } = exchange
  if (fault.status === undefined) return payload
  await pause(fault.delayMs, stopping)
  if (fault.violation) return violate(reply, fault.violation)
  if (fault.error === undefined) return payload
  return prepareError(forceError(fault.error, exchange), request, reply)
}

/**
 * Applies a fault to the sending of the response. Resolves with the body to send. Never resolves if the fault has
 * written to the connection itself.
 */
export async function sendWith(
  fault: Fault,
  { request, reply, stopping }: Exchange,
  payload: Payload,
): Promise<Payload> {
  if (fault.cut === 'after') reply.raw.destroy()
  else if (fault.cut === 'headers') return breakOff(await socketOf(reply), unendedHeaders)
  const hasBody = request.method !== 'HEAD' && Boolean(payload?.length)
  if (fault.cut === 'body') {
    if (hasBody) return truncate(reply, payload)
    // Nothing can be missing from such a response: it is sent, and the connection closed.
    reply.header('connection', 'close')
  } else if (fault.dripMs !== undefined && hasBody) {
    return drip(reply, payload, fault.dripMs, stopping)
  }
  return payload
}

/** Waits for this time, or until the store stops. */
export async function pause(ms: number | undefined, stopping: AbortSignal): Promise<void> {
  if (ms) await sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined)
}

/** Sets status and headers of this response, and returns its body. */
function violate(
  reply: FastifyReply,
  { status, contentType = jsonType, body }: NonNullable<Fault['violation']>,
): string {
  reply.removeHeader('content-length')
  reply.code(status).header('content-type', contentType)
  return body
}

const ofCors = /^access-control-/

/** Leaves the headers that the operation's response with this error has. */
function removeOwnHeaders(reply: FastifyReply, code: ErrorCode, own: Operation | undefined) {
  const operation = codesBeforeKey.includes(code) ? undefined : own
  const declared = headersOf({ kind: 'error', codes: [code], operation })
  const kept = new Set(declared.map(({ name }) => name.toLowerCase()))
  const isOfOrigins = String(reply.getHeader('vary')).startsWith('Origin')
  for (const name of Object.keys(reply.getHeaders()))
    if (!kept.has(name) && !ofCors.test(name)) reply.removeHeader(name)
  // Where pages of some origins may use the store, every response depends on the origin.
  if (isOfOrigins) reply.header('vary', 'Origin')
  reply.header('cache-control', 'no-store')
}

/** The connection, once earlier responses on it have been sent. */
async function socketOf({ raw }: FastifyReply): Promise<Socket> {
  if (raw.socket) return raw.socket
  return new Promise((resolve) => raw.once('socket', resolve))
}

/** Sends these bytes as they are, then closes the connection. */
function breakOff(socket: Socket, bytes: string): Promise<never> {
  socket.write(bytes, () => socket.destroy())
  return never()
}

async function truncate(reply: FastifyReply, payload: Payload): Promise<never> {
  const bytes = startResponse(reply, payload)
  const socket = await socketOf(reply)
  // Node may still buffer these bytes, and `destroy` would drop them: so it waits for the callback.
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy())
  return never()
}

async function drip(
  reply: FastifyReply,
  payload: Payload,
  ms: number,
  stopping: AbortSignal,
): Promise<Payload> {
  const bytes = startResponse(reply, payload)
  for (let at = 0; at < bytes.length && !reply.raw.destroyed; at += dripBytes) {
    if (at > 0) await pause(ms, stopping)
    reply.raw.write(bytes.subarray(at, at + dripBytes))
  }
  reply.raw.end()
  return never()
}

/** Writes the header block, and returns the body. */
function startResponse(reply: FastifyReply, payload: Payload): Buffer {
  const bytes = Buffer.from(payload ?? '')
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.setHeader('content-length', bytes.length)
  reply.raw.writeHead(reply.statusCode)
  return bytes
}

/** A promise that stays pending, so that Fastify does not send a response that a fault has sent. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}
