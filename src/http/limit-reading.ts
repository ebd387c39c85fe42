import { performance, timers } from '../timers.ts'
import type { Connection } from './protocol/connection.ts'

/** In a turn of the event loop that has read requests for so long, nothing further is read. */
const readMaxMs = 10
/** How many connections are read again in a turn, from each end of those that were stopped. */
const sliceSize = 32

/**
 * Call the result with each header block. Where reading takes a turn of the event loop too long, all connections stop, and are
 * read again in slices, from both ends: a new connection does not wait for all that came before it, and none waits for ever.
 */
export function limitReading(open: Iterable<Connection>): () => void {
  const stopped: Connection[] = []
  let beganMs: number | undefined
  let isScheduled = false

  function endTurn() {
    beganMs = undefined
    for (let count = 0; count < sliceSize; count++)
      for (const connection of [stopped.pop(), stopped.shift()])
        if (connection?.waiting.length === 0) connection.socket.resume()
    isScheduled = stopped.length > 0
    if (isScheduled) timers.setImmediate(endTurn)
  }

  return () => {
    const now = performance.now()
    beganMs ??= now
    if (!isScheduled) timers.setImmediate(endTurn)
    isScheduled = true
    if (now - beganMs < readMaxMs) return
    beganMs = Number.POSITIVE_INFINITY
    for (const connection of open) {
      if (connection.socket.isPaused()) continue
      connection.socket.pause()
      stopped.push(connection)
    }
  }
}
