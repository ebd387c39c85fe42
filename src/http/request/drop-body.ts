import type { IncomingMessage } from 'node:http'
import { timers } from '../../timers.ts'

/** How long a client may go on sending. */
const droppedMaxMs = 30_000

/**
 * Lets a client send the rest of a body that is refused for its size, where the connection ends with the response: many read no
 * response before they have sent all, and would find the connection reset. What comes is dropped.
 */
export function dropBody(request: IncomingMessage): void {
  const { socket } = request
  const end = socket.destroySoon
  // Node calls this once the response is sent.
  socket.destroySoon = () => {
    if (request.readableEnded || request.destroyed) return end.call(socket)
    const late = timers.setTimeout(() => socket.destroy(), droppedMaxMs)
    socket.once('close', () => timers.clearTimeout(late))
    request.once('end', () => socket.destroy())
    socket.end()
  }
}
