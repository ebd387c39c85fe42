import type { Connection } from './connection.ts'

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
