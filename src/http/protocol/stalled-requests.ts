import type { Connection } from './connection.ts'

/** Finds connections of whose request, which a verb reads while it arrives, no byte has come within the timeout. */
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
    // What has arrived waits for the verb, not for the client.
    const isOurTurn = request.readableLength > 0
    if (!isOurTurn && bytesRead === socket.bytesRead) return now - sinceMs >= timeoutMs
    connection.receiving = { request, bytesRead: socket.bytesRead, sinceMs: now }
    return false
  })
}
