import { performance, timers } from '../timers.ts'
import type { Connection } from './protocol/connection.ts'

/**
 * Reading stops once a turn of the event loop has lasted this long, and has then used as much processor time. Elapsed time alone
 * would stop it too early on a busy machine; processor time is slow to query, so it is queried only then.
 */
const readMaxMs = 15
/** Header blocks between two checks of the time. */
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
  let usedMs: number | undefined
  let isScheduled = false

  function endTurn() {
    read = 0
    usedMs = undefined
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
    const nowMs = performance.now()
    if (read === checkEvery) beganMs = nowMs
    if (nowMs - beganMs < readMaxMs) return
    usedMs ??= processorMs()
    if (processorMs() - usedMs < readMaxMs) return
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

function processorMs(): number {
  const { user, system } = usage()
  return (user + system) / 1_000
}
