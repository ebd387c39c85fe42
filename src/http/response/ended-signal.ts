import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Aborted once the response is sent, or its client has left. A client that closes its side before the response
 * begins counts as gone: otherwise long work would go on to its end.
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
