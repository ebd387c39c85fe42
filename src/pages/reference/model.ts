import type { Environment } from '../../config/settings.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { Operation } from '../../contract/operation.ts'

export type Schema = {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  examples?: unknown[]
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

type Header = { description: string; schema: Schema; example?: unknown }
type Media = { schema: Schema; examples?: Record<string, { value: unknown }> }

export type Response = {
  status: number
  description: string
  headers: Record<string, Header>
  schema: Schema | undefined
  example: unknown
}

/** An operation as the reference shows it. */
export type Described = {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  stability: string | undefined
  isDeprecated: boolean
  /** A date such as `2030-12-05`. */
  removedOn: string | undefined
  /** Whether the page can send its requests. */
  isTried: boolean
  /** Whether it needs no key. */
  isOpen: boolean
  /** The noun of the record that the path names. */
  record: string | undefined
  parameters: Parameter[]
  body: { description: string; schema: Schema; example: unknown } | undefined
  responses: Response[]
  errors: ErrorCode[]
  /** As it is served. */
  operation: Operation
}

export type Reference = {
  title: string
  version: string
  description: string
  servers: { url: string; description: string }[]
  environment: Environment
  tags: { name: string; displayName: string; description: string }[]
  operations: Described[]
  schemas: Record<string, Schema>
}

type Ref = { $ref: string }
type DocumentResponse = {
  description: string
  headers?: Record<string, Header | Ref>
  content?: Record<string, Media>
  'x-error-codes'?: ErrorCode[]
}
type DocumentOperation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  security?: unknown[]
  'x-stability'?: string
  'x-sunset'?: string
  'x-hideTryItPanel'?: boolean
  parameters: (Parameter | Ref)[]
  requestBody?: { description: string; content: { 'application/json': Media } }
  responses: Record<string, DocumentResponse | Ref>
}
type Document = {
  info: { title: string; version: string; description: string }
  servers: { url: string; description: string }[]
  tags: { name: string; 'x-displayName': string; description: string }[]
  paths: Record<string, Record<string, DocumentOperation>>
  components: Record<'parameters' | 'headers' | 'responses', Record<string, unknown>> & {
    schemas: Record<string, Schema>
  }
}

/** Reads the OpenAPI document, and what the operations have beyond it. */
export function readReference(
  document: Record<string, unknown>,
  operations: readonly Operation[],
  environment: Environment,
): Reference {
  const { info, servers, tags, paths, components } = document as unknown as Document
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))

  function resolve<T extends object>(value: T | Ref): T {
    if (!('$ref' in value)) return value
    const [, , kind = '', name = ''] = value.$ref.split('/')
    return components[kind as 'headers'][name] as T
  }

  function responseOf(status: string, { description, headers = {}, content }: DocumentResponse) {
    const media = content?.['application/json']
    const resolved = Object.entries(headers).map(([name, header]) => [name, resolve(header)])
    return {
      status: Number(status),
      description,
      headers: Object.fromEntries(resolved) as Record<string, Header>,
      schema: media?.schema,
      example: firstExample(media),
    }
  }

  function describe(path: string, method: string, described: DocumentOperation): Described {
    const { operationId: id, requestBody, responses } = described
    const all = Object.entries(responses).map(([status, one]) => [status, resolve(one)] as const)
    const body = requestBody?.content['application/json']
    const operation = byId.get(id) as Operation
    return {
      id,
      method: method.toUpperCase(),
      path,
      tag: described.tags[0] ?? '',
      summary: described.summary,
      description: described.description,
      stability: described['x-stability'],
      isDeprecated: described.deprecated === true,
      removedOn: described['x-sunset'],
      isTried: described['x-hideTryItPanel'] !== true,
      isOpen: operation.scope === 'public',
      record: operation.pathParameter?.record,
      parameters: described.parameters.map((parameter) => resolve(parameter)),
      body: requestBody &&
        body && { ...requestBody, schema: body.schema, example: firstExample(body) },
      responses: all
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => responseOf(status, response)),
      errors: all.flatMap(([, response]) => response['x-error-codes'] ?? []),
      operation,
    }
  }

  return {
    ...info,
    servers,
    environment,
    tags: tags.map((tag) => ({ ...tag, displayName: tag['x-displayName'] })),
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => describe(path, method, described)),
    ),
    schemas: components.schemas,
  }
}

function firstExample(media: Media | undefined): unknown {
  return Object.values(media?.examples ?? {})[0]?.value
}
