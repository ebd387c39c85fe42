import { performance } from '../../timers.ts'
import { type Connection, movedBytes, streamedAs } from './connection.ts'

/** Finds connections whose streamed request body has stalled: no byte of it arrived within the timeout. */
export function findStalled(connections: Iterable<Connection>, timeoutMs: number): Connection[] {
  const now = performance.now()
  return [...connections].filter((connection) => {
    const { receiving, socket } = connection
    if (!receiving) return false
    const { request, bytesRead, sinceMs } = receiving
    if (request.complete) {
      connection.receiving = undefined
      return false
    }
    // Bytes that the verb has not read yet: the client is not the slow one.
    const isVerbBehind = request.readableLength > 0
    if (!isVerbBehind && bytesRead === socket.bytesRead) return now - sinceMs >= timeoutMs
    connection.receiving = { request, bytesRead: socket.bytesRead, sinceMs: now }
    return false
  })
}

/**
 * Resets connections whose client has not read a whole response within the timeout, counted from the first call after
 * the response was written. Partial reads extend it for streams alone, which may have a timeout of their own. Returns the
 * timeouts of the connections that were reset.
 */
export function resetUnread(connections: Iterable<Connection>, timeoutMs: number): number[] {
  const now = performance.now()
  const resets: number[] = []
  for (const connection of connections) {
    const { socket, unread } = connection
    const response = unreadOf(connection)
    const stream = response && streamedAs(response)
    const moved = stream ? movedBytes(socket) : 0
    const unreadMaxMs = stream?.unreadMaxMs ?? timeoutMs
    if (response === undefined) connection.unread = undefined
    else if (unread?.response !== response || unread.movedBytes !== moved)
      connection.unread = { response, sinceMs: now, movedBytes: moved }
    else if (now - unread.sinceMs >= unreadMaxMs) {
      resets.push(unreadMaxMs)
      // A reset, since after a plain close the kernel keeps the unread bytes.
      socket.resetAndDestroy()
    }
  }
  return resets
}

/**
 * The response that blocks a connection: the first one that is written and unread, or bytes written outside of
 * responses.
 */
function unreadOf({ socket, responses }: Connection): object | undefined {
  if (socket.writableLength === 0) return undefined
  return responses.find(({ writableFinished }) => !writableFinished) ?? socket
}
