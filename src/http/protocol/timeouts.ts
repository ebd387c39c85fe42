import { performance } from '../../timers.ts'
import type { Connection } from './connection.ts'

/** The least rate of a body, over the request timeout. */
const bodyBytesPerSecondMin = 1_024
/** The longest that a body may take, whatever its rate. */
const bodyMaxMs = 3_600_000

/**
 * Whether the body of a request is too slow: in a whole timeout it brought less than its least rate, or it takes too long.
 * Bytes that nobody has read yet are no fault of the client.
 */
export function isStalled(connection: Connection, timeoutMs: number): boolean {
  const { socket, last, waiting, receiving } = connection
  const request = last?.req
  if (!request || request.complete || waiting.length > 0) {
    connection.receiving = undefined
    return false
  }
  const now = performance.now()
  const { bytesRead } = socket
  const beganMs = receiving?.request === request ? receiving.beganMs : now
  if (now - beganMs >= bodyMaxMs) return true
  const isFast =
    receiving?.request !== request ||
    bytesRead - receiving.bytesRead >= (bodyBytesPerSecondMin * timeoutMs) / 1_000 ||
    request.readableLength > 0
  if (!isFast) return now - receiving.sinceMs >= timeoutMs
  connection.receiving = { request, beganMs, sinceMs: now, bytesRead }
  return false
}

/**
 * Whether the client has read nothing for the timeout. Responses are written 16 KiB at a time, so that a byte that moves
 * is seen soon.
 */
export function isUnread(connection: Connection, timeoutMs: number): boolean {
  const { socket, unread } = connection
  if (socket.writableLength === 0) {
    connection.unread = undefined
    return false
  }
  const now = performance.now()
  const movedBytes = socket.bytesWritten - socket.writableLength
  if (unread?.movedBytes === movedBytes) return now - unread.sinceMs >= timeoutMs
  connection.unread = { movedBytes, sinceMs: now }
  return false
}
