import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers 304 to GET and HEAD, with the headers that the reply has. */
export function sendNotModified({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method === 'GET') {
    reply.code(304).send()
    return
  }
  // The framework would say Content-Length: 0, and a 304 may tell the length of the 200 or none.
  reply
    .hijack()
    .raw.writeHead(304, { ...reply.getHeaders() } as OutgoingHttpHeaders)
    .end()
}
