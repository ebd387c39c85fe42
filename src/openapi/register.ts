import type { FastifyInstance } from 'fastify'
import type { Implementation } from '../http/implement.ts'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { assembleDocument, type Servers } from './document.ts'

/** `GET /openapi.json` and `GET /v1/openapi.json`: the document, naming the servers as they are. No key. */
export function registerDocument(
  app: FastifyInstance,
  operations: readonly Implementation[],
  servers: () => Servers,
): void {
  let document: Compressible | undefined
  const write = () =>
    createCompressible(Buffer.from(JSON.stringify(assembleDocument(operations, servers()))), {
      contentType: 'application/json; charset=utf-8',
      cacheControl: 'private, no-cache',
    })
  for (const url of ['/openapi.json', '/v1/openapi.json']) {
    app.get(url, (request, reply) => {
      document ??= write()
      return sendCompressible(request, reply, document)
    })
  }
}
