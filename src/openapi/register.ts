import type { FastifyInstance } from 'fastify'
import type { BoundOperation } from '../http/operation.ts'
import { assembleDocument, type Servers } from './document.ts'

/** `GET /openapi.json` and `GET /v1/openapi.json`: the document, naming the servers as they are. No key. */
export function registerDocument(
  app: FastifyInstance,
  operations: readonly BoundOperation[],
  servers: () => Servers,
): void {
  let text: string | undefined
  for (const url of ['/openapi.json', '/v1/openapi.json']) {
    app.get(url, (_request, reply) => {
      text ??= JSON.stringify(assembleDocument(operations, servers()))
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
}
