import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import { ServiceError } from '../contract/service-error.ts'
import { errorBody } from '../http/response/send-error.ts'
import type { Fault } from './faults.ts'

type Payload = string | Buffer | null | undefined

const jsonType = 'application/json; charset=utf-8'

/** What an error in place of a success does not have. */
const headersOfSuccess = [
  'content-length',
  'etag',
  'location',
  'link',
  'petstore-ignored',
  'petstore-scopes',
  'x-total-count',
]

/** The start of a response whose header block never ends. */
const unendedHeaders = 'HTTP/1.1 200 OK\r\nContent-Type: applicat'
const dripBytes = 16

/** The error that a fault or `Prefer` asked for. */
export function forcedError(code: ErrorCode): ServiceError {
  const { title } = errorCodes[code]
  return new ServiceError(code, `${title}, because a test asked for this error.`)
}

/**
 * Applies a fault before the operation is performed. Returns whether the request ends here: a response was sent or the
 * connection closed. Throws the forced error.
 */
export async function applyBefore(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
): Promise<boolean> {
  await pause(fault.delayMs, stopping)
  if (fault.cut === 'before') {
    reply.hijack()
    request.raw.socket.destroy()
    return true
  }
  if (fault.violation) {
    violate(reply, fault.violation)
    reply.send(fault.violation.body)
    return true
  }
  if (fault.error) throw forcedError(fault.error as ErrorCode)
  return false
}

/**
 * Applies a fault to the response that is about to be sent. Resolves with the body to send. Never resolves if the fault
 * has written to the connection itself.
 */
export async function applyAfter(
  fault: Fault,
  reply: FastifyReply,
  payload: Payload,
  stopping: AbortSignal,
): Promise<Payload> {
  if (fault.status !== undefined) await pause(fault.delayMs, stopping)
  if (fault.status !== undefined && fault.violation) {
    violate(reply, fault.violation)
    return fault.violation.body
  }
  if (fault.status !== undefined && fault.error)
    return replaceByError(reply, fault.error as ErrorCode)
  if (fault.cut === 'after') reply.raw.destroy()
  else if (fault.cut === 'headers') return breakOff(await socketOf(reply), unendedHeaders)
  else if (fault.cut === 'body') return truncate(reply, payload)
  else if (fault.dripMs !== undefined) return drip(reply, payload, fault.dripMs, stopping)
  return payload
}

/** Waits for this time, or until the store stops. */
export async function pause(ms: number | undefined, stopping: AbortSignal): Promise<void> {
  if (ms) await sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined)
}

function violate(
  reply: FastifyReply,
  { status, contentType = jsonType }: NonNullable<Fault['violation']>,
) {
  reply.removeHeader('content-length')
  reply.code(status).header('content-type', contentType)
}

function replaceByError(reply: FastifyReply, code: ErrorCode): string {
  const { message } = forcedError(code)
  for (const name of headersOfSuccess) {
    reply.removeHeader(name)
  }
  reply.code(errorCodes[code].status).header('content-type', jsonType)
  return errorBody(code, message)
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
  // A 204 or 304 has no Content-Length of its own.
  if (!payload?.length) return payload
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
