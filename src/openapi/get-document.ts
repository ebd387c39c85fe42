import { defineOperation, type Operation } from '../contract/operation.ts'
import { serviceTag, type Tag } from '../contract/tags.ts'
import * as Type from '../contract/type.ts'
import { type Implementation, implement } from '../http/implement.ts'
import { type Compressible, createCompressible } from '../http/response/compressible.ts'

/** The schema of a document of a format: it describes the member with the version, and allows all others. */
export function documentSchema($id: string, format: string, example: Record<string, string>) {
  const [member = '', version = ''] = Object.entries(example)[0] ?? []
  const description = `The version of ${format}.`
  return Type.Object(
    { [member]: Type.String({ maxLength: 20, description, examples: [version] }) },
    {
      $id,
      description: `An ${format} document.`,
      additionalProperties: true,
      examples: [example],
    },
  )
}

const example = { openapi: '3.1.1' }
const OpenApiDocument = documentSchema('OpenApiDocument', 'OpenAPI', example)

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
    lifecycle: { stability: 'stable' },
    condition: 'If-None-Match',
    returns: 'file',
    item: OpenApiDocument,
    errors: ['unavailable'],
    examples: { name: 'success', summary: 'The document.', response: example },
  })
}

export const getDocumentOperation = defineOperation({
  ...documentOperation('getDocument', serviceTag),
  isUnversioned: true,
  client: 'service.getDocument',
})

/** Serves a document, which is assembled with the first request for it. */
export function implementDocument(
  operation: Operation & { returns: 'file' },
  assemble: () => Promise<Record<string, unknown>>,
): Implementation {
  let document: Compressible | undefined
  return implement(operation, async () => {
    document ??= createCompressible(Buffer.from(JSON.stringify(await assemble())), {
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'private, no-cache',
    })
    return document
  })
}

/** Serves the document of the store. */
export function implementOwnDocument(assemble: () => Promise<Record<string, unknown>>) {
  return implementDocument(getDocumentOperation, async () => {
    const { shareRepeated } = await import('./share-repeated.ts')
    return shareRepeated(await assemble())
  })
}
