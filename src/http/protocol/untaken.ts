import type { Connection } from './connection.ts'

/**
 * Resets connections whose client has not taken an answer whole, to the last byte, within the timeout: counted from the
 * first call after the answer was written. How many bytes are taken meanwhile does not matter. Returns how many it reset.
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
      // A reset: after a plain close the kernel would go on keeping what is not taken.
      connection.socket.resetAndDestroy()
    }
  }
  return count
}

/** The answer that keeps a connection: the first that is written and not taken, or what was written past all of them. */
function untakenOf({ socket, responses }: Connection): object | undefined {
  if (socket.writableLength === 0) return undefined
  return responses.find(({ writableFinished }) => !writableFinished) ?? socket
}
