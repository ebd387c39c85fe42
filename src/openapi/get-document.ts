import { defineOperation, type Operation } from '../contract/operation.ts'
import { serviceTag, type Tag } from '../contract/tags.ts'
import * as Type from '../contract/type.ts'
import { type Implementation, implement } from '../http/implement.ts'
import { type Compressible, createCompressible } from '../http/response/compressible.ts'

const OpenApiDocument = Type.Object(
  {
    openapi: Type.String({
      maxLength: 20,
      description: 'The version of OpenAPI.',
      examples: ['3.1.1'],
    }),
  },
  {
    $id: 'OpenApiDocument',
    description: 'An OpenAPI document.',
    additionalProperties: true,
    examples: [{ openapi: '3.1.1' }],
  },
)

/** The operation that gets the document that describes it. */
export function documentOperation(operationId: string, tag: Tag) {
  return defineOperation({
    operationId,
    method: 'GET',
    path: '/openapi.json',
    tag,
    summary: 'Get this document',
    description: 'Returns the OpenAPI 3.1 document of the service, compressed on request.',
    scope: 'public',
    lifecycle: { stability: 'beta' },
    condition: 'If-None-Match',
    returns: 'file',
    item: OpenApiDocument,
    errors: ['unavailable'],
    examples: { name: 'success', summary: 'The document.', response: { openapi: '3.1.1' } },
  })
}

export const getDocumentOperation = defineOperation({
  ...documentOperation('getDocument', serviceTag),
  isBesideBase: true,
  client: 'service.getDocument',
})

/** Serves a document, which is assembled with the first request for it. */
export function implementDocument(
  operation: Operation & { returns: 'file' },
  assemble: () => Record<string, unknown>,
): Implementation {
  let document: Compressible | undefined
  return implement(operation, async () => {
    document ??= createCompressible(Buffer.from(JSON.stringify(assemble())), {
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'private, no-cache',
    })
    return document
  })
}
