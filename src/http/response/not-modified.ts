import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendNoBody } from './stream.ts'

/** Sends 304 to GET and HEAD, with the headers of the reply. */
export function sendNotModified({ method }: FastifyRequest, reply: FastifyReply): void {
  reply.code(304)
  // Fastify would add `Content-Length: 0`, which is not the length of the 200.
  if (method === 'HEAD') sendNoBody(reply)
  else reply.send()
}
