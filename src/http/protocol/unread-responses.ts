import { type Connection, movedBytes, streamedAs } from './connection.ts'

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
