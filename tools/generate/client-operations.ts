import type { Operation as ClientDatum } from '../../client/src/operation.ts'
import { type Alternative, contentOf, type Operation } from '../../src/contract/operation.ts'
import { nameOf, type Schema } from './client-types.ts'

type Parameter = { name: string; in: string; description: string; schema: Schema }
type Ref = { $ref: string }

type DocumentOperation = {
  operationId: string
  summary: string
  description: string
  security?: unknown[]
  'x-sunset'?: string
  parameters: (Parameter | Ref)[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>
}

/** The OpenAPI document, as far as the client follows from it. */
export type Document = {
  servers: { url: string }[]
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

/** An operation as a method of the client: `client.NAMESPACE.NAME(…)`. */
export type ClientOperation = {
  namespace: string
  name: string
  id: string
  /** What the client is given of it. */
  datum: ClientDatum
  /** What it is in the contract. */
  own: Operation
  summary: string
  description: string
  removedOn: string | undefined
  /** What to use in its place where it is deprecated. */
  advice: string | undefined
  kind: 'list' | 'record' | 'nothing' | 'stream' | 'file' | 'blob'
  /** The parameters of the path. */
  parameters: string[]
  query: Parameter[]
  body: Schema | undefined
  /** The media types of a body that is a file of rows. */
  files: string[]
  /** Whether the body is a file that is stored as it is. */
  isUpload: boolean
  result: Schema | undefined
  isKeyed: boolean
  takesIfMatch: boolean
  takesIfNoneMatch: boolean
}

type Described = Omit<ClientOperation, 'namespace' | 'name'>

/** The operations that the client has, in the order of the document. */
export function clientOperationsOf(
  { paths, components }: Document,
  operations: readonly Operation[],
): ClientOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const own = operations.find(({ operationId }) => operationId === described.operationId)
      if (own?.client === undefined) return []
      const found = operationOf(path, method.toUpperCase(), described, components, own)
      return [{ ...namesOf(own.client), ...found }, ...streamOf(found, own.alternative)]
    }),
  )
}

const followed = {
  summary: 'Follow the list as it grows',
  description:
    'Yields each record once, in order of ids, and connects again by itself. Throws `PetstoreEventsExpiredError` where some were missed.',
}

/** The method for the alternative of an operation: a stream of the records that the operation lists. */
function streamOf(listed: Described, alternative: Alternative | undefined): ClientOperation[] {
  if (alternative?.client === undefined) return []
  const query = listed.query.filter(({ name }) => name in (alternative.query?.properties ?? {}))
  return [{ ...listed, ...namesOf(alternative.client), ...followed, kind: 'stream', query }]
}

function namesOf(client: string) {
  const end = client.lastIndexOf('.')
  return { namespace: client.slice(0, end), name: client.slice(end + 1) }
}

function operationOf(
  path: string,
  method: string,
  described: DocumentOperation,
  { schemas, parameters: shared }: Document['components'],
  own: Operation,
): Described {
  const isList = own.returns === 'page'
  const { operationId: id, summary, description, parameters, responses } = described
  const contents = described.requestBody?.content ?? {}
  const all = parameters.map((parameter) =>
    '$ref' in parameter ? (shared[nameOf(parameter.$ref)] as Parameter) : parameter,
  )
  const takes = (name: string) => all.some((parameter) => parameter.name === name)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const result = success?.content?.['application/json']?.schema
  const listed = result?.$ref === undefined ? result : schemas[nameOf(result.$ref)]
  const kind = kindOf(own, result)
  const files = Object.keys(contents).filter((type) => !contents[type]?.schema)
  const isKeyed = takes('Idempotency-Key')
  const advice = own.lifecycle.deprecation?.advice
  return {
    id,
    datum: {
      id,
      method: method as ClientDatum['method'],
      path,
      ...(isKeyed && { isKeyed }),
      ...(described.security?.length === 0 && { isOpen: true }),
      ...(kind === 'file' && { isFile: true }),
      ...(kind === 'blob' && { isBlob: true, accept: 'image/*' }),
      ...(advice !== undefined && { advice }),
    },
    own,
    summary,
    description,
    removedOn: described['x-sunset'],
    advice,
    kind,
    parameters: all.flatMap((parameter) => (parameter.in === 'path' ? parameter.name : [])),
    // What follows for its user sends `after`.
    query: all.filter(({ in: place, name }) => place === 'query' && name !== 'lastEventId'),
    body: contents['application/json']?.schema,
    files,
    isUpload: own.body !== undefined && contentOf(own.body).isUpload === true,
    result: isList ? listed : result,
    isKeyed,
    takesIfMatch: takes('If-Match'),
    takesIfNoneMatch: takes('If-None-Match'),
  }
}

function kindOf(own: Operation, result: Schema | undefined): ClientOperation['kind'] {
  if (own.returns === 'page') return 'list'
  if (own.isDownload) return 'file'
  if (own.isUploaded) return 'blob'
  return result ? 'record' : 'nothing'
}
