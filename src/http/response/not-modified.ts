import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendNoBody } from './stream.ts'

/** Sends 304 to GET and HEAD, with the headers of the reply. */
export function sendNotModified({ method }: FastifyRequest, reply: FastifyReply): void {
  reply.code(304)
  // With a length of 0, Fastify would announce that of no 200.
  if (method === 'HEAD') sendNoBody(reply)
  else reply.send()
}
