import { timers } from '../timers.ts'
import type { Connection } from './protocol/connection.ts'

/** Once a turn of the event loop has used so much processor time, nothing further is read. */
const readMaxMs = 30
/** How many header blocks share a look at that time. */
const checkEvery = 8
/** How many connections are read again in a turn, from each end of those that were stopped. */
const sliceSize = 64

/**
 * Call the result with each header block. Where reading takes a turn of the event loop too long, all connections stop, and are
 * read again in slices, from both ends: a new connection does not wait for all that came before it, and none waits for ever.
 */
export function limitReading(open: Iterable<Connection>): () => void {
  const stopped: Connection[] = []
  let read = 0
  let beganMs = 0
  let isScheduled = false

  function endTurn() {
    read = 0
    for (let count = 0; count < sliceSize; count++)
      for (const connection of [stopped.pop(), stopped.shift()])
        if (connection?.waiting.length === 0) connection.socket.resume()
    isScheduled = stopped.length > 0
    if (isScheduled) timers.setImmediate(endTurn)
  }

  return () => {
    if (!isScheduled) timers.setImmediate(endTurn)
    isScheduled = true
    read += 1
    if (read % checkEvery !== 0) return
    const nowMs = processorMs()
    if (read === checkEvery) beganMs = nowMs
    if (nowMs - beganMs < readMaxMs) return
    for (const connection of open) {
      const { socket, exchange, last } = connection
      const isReceiving = exchange !== 'busy' || last?.req.complete === false
      if (socket.isPaused() || !isReceiving) continue
      socket.pause()
      stopped.push(connection)
    }
  }
}

/** Node 22 knows only the time of all threads, which costs six times as much to ask for. */
const usage = process.threadCpuUsage ?? process.cpuUsage

/** Not the time of day: on a busy machine a turn would read nearly nothing. */
function processorMs(): number {
  const { user, system } = usage()
  return (user + system) / 1_000
}
