import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Aborted once the response is sent, or its client has left. A client that closes its side while nothing of the response
 * is sent has left: nothing else would tell before the end of long work.
 */
export function endedSignal(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
): AbortSignal {
  const ended = new AbortController()
  const leave = () => {
    if (!raw.headersSent) ended.abort()
  }
  socket.once('end', leave)
  raw.once('close', () => {
    socket.off('end', leave)
    ended.abort()
  })
  return ended.signal
}
