import { type ClientMethod, clientMethodsOf } from '../../src/openapi/client-methods.ts'
import type { Schema } from './client-types.ts'

type Parameter = { name: string; in: string; description: string; schema: Schema }
type Ref = { $ref: string }

type DocumentOperation = {
  operationId: string
  summary: string
  description: string
  security?: unknown[]
  'x-sunset'?: string
  parameters: (Parameter | Ref)[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

/** The OpenAPI document, as far as the client follows from it. */
export type Document = {
  servers: { url: string }[]
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Schema> }
}

/** An operation as a method of the client: `client.NAMESPACE.NAME(…)`. */
export type ClientOperation = ClientMethod & {
  id: string
  method: string
  path: string
  summary: string
  description: string
  removedOn: string | undefined
  kind: 'list' | 'record' | 'nothing'
  /** The parameter of the path. */
  parameter: string | undefined
  query: Parameter[]
  body: Schema | undefined
  result: Schema | undefined
  isKeyed: boolean
  isOpen: boolean
  takesIfMatch: boolean
  takesIfNoneMatch: boolean
}

/** All operations of the document, in its order. */
export function clientOperationsOf({
  paths,
  components: { schemas },
}: Document): ClientOperation[] {
  const clientMethods = clientMethodsOf(paths)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...operationOf(path, method.toUpperCase(), described, schemas),
      ...(clientMethods.get(described.operationId) as ClientMethod),
    })),
  )
}

function operationOf(
  path: string,
  method: string,
  described: DocumentOperation,
  schemas: Document['components']['schemas'],
): Omit<ClientOperation, keyof ClientMethod> {
  const { operationId: id, summary, description, parameters, responses } = described
  const isOpen = described.security?.length === 0
  const takes = (name: string) =>
    parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith(`/${name}`))
  const own = parameters.filter((parameter) => !('$ref' in parameter)) as Parameter[]
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const result = success?.content?.['application/json'].schema
  const listed = result?.$ref === undefined ? result : schemas[result.$ref.split('/').at(-1) ?? '']
  const isList = listed?.type === 'array'
  return {
    id,
    method,
    path,
    summary,
    // How pages are walked over HTTP does not concern those who use the client.
    description: isList ? (description.split(' The `Link` header')[0] ?? '') : description,
    removedOn: described['x-sunset'],
    kind: isList ? 'list' : result === undefined ? 'nothing' : 'record',
    parameter: own.find((parameter) => parameter.in === 'path')?.name,
    query: own.filter((parameter) => parameter.in === 'query'),
    body: described.requestBody?.content['application/json'].schema,
    result: isList ? listed : result,
    isKeyed: takes('IdempotencyKey'),
    isOpen,
    takesIfMatch: takes('IfMatch'),
    takesIfNoneMatch: takes('IfNoneMatch'),
  }
}
