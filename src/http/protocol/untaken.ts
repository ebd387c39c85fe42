import type { Connection } from './connection.ts'

/**
 * Resets connections whose client has not read a whole response within the timeout, counted from the first call after
 * the response was written. Partial reads do not extend it. Returns the number of resets.
 */
export function cutOffUntaken(connections: Iterable<Connection>, timeoutMs: number): number {
  const now = performance.now()
  let count = 0
  for (const connection of connections) {
    const answer = untakenOf(connection)
    if (answer === undefined) connection.untaken = undefined
    else if (connection.untaken?.answer !== answer) connection.untaken = { answer, sinceMs: now }
    else if (now - connection.untaken.sinceMs >= timeoutMs) {
      count += 1
      // A reset, since after a plain close the kernel keeps the unread bytes.
      connection.socket.resetAndDestroy()
    }
  }
  return count
}

/**
 * The response that blocks a connection: the first one that is written and unread, or bytes written outside of
 * responses.
 */
function untakenOf({ socket, responses }: Connection): object | undefined {
  if (socket.writableLength === 0) return undefined
  return responses.find(({ writableFinished }) => !writableFinished) ?? socket
}
