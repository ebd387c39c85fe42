import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends 304 to GET and HEAD, with the headers of the reply. */
export function sendNotModified({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method === 'GET') {
    reply.code(304).send()
    return
  }
  // Fastify would send Content-Length: 0, but a 304 may only carry the length of the 200, or none.
  reply
    .hijack()
    .raw.writeHead(304, { ...reply.getHeaders() } as OutgoingHttpHeaders)
    .end()
}
