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
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  examples?: unknown[]
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
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

/** An operation as the reference shows it: as it is served, and what the document says of it. */
export type Described = {
  operation: Operation
  description: string
  /** Whether it needs no key. */
  isOpen: boolean
  parameters: Parameter[]
  /** Without a schema the example is the text of a file. */
  body:
    | { description: string; mediaType: string; schema: Schema | undefined; example: unknown }
    | undefined
  responses: Response[]
  errors: ErrorCode[]
}

/** A type of event, as its schema describes it. */
type EventType = { type: string; schema: Schema; description: string; example: unknown }

export type Reference = {
  title: string
  version: string
  description: string
  servers: { url: string; description: string }[]
  tags: { name: string; 'x-displayName': string; description: string }[]
  operations: Described[]
  eventTypes: EventType[]
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
  description: string
  parameters: (Parameter | Ref)[]
  requestBody?: { description: string; content: Record<string, Partial<Media>> }
  responses: Record<string, DocumentResponse | Ref>
}
type Document = Pick<Reference, 'servers' | 'tags'> & {
  info: Pick<Reference, 'title' | 'version' | 'description'>
  paths: Record<string, Record<string, DocumentOperation>>
  components: Record<'parameters' | 'headers' | 'responses', Record<string, unknown>> & {
    schemas: Record<string, Schema> & {
      Event: { discriminator: { mapping: Record<string, string> } }
    }
  }
}

/** Reads the OpenAPI document of these operations. */
export function readReference(
  document: Record<string, unknown>,
  operations: readonly Operation[],
): Reference {
  const { info, servers, tags, paths, components } = document as unknown as Document

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

  function describe(operation: Operation): Described {
    const described = paths[operation.path]?.[operation.method.toLowerCase()] as DocumentOperation
    const { requestBody, responses } = described
    const all = Object.entries(responses).map(([status, one]) => [status, resolve(one)] as const)
    const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
    return {
      operation,
      description: described.description,
      isOpen: operation.scope === 'public',
      parameters: described.parameters.map((parameter) => resolve(parameter)),
      body:
        requestBody && mediaType !== undefined
          ? {
              description: requestBody.description,
              mediaType,
              schema: body?.schema,
              example: firstExample(body),
            }
          : undefined,
      responses: all
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => responseOf(status, response)),
      errors: all.flatMap(([, response]) => response['x-error-codes'] ?? []),
    }
  }

  return {
    ...info,
    servers,
    tags,
    operations: operations.map(describe),
    eventTypes: Object.entries(components.schemas.Event.discriminator.mapping).map(
      ([type, $ref]) => {
        const { description = '', examples = [] } = resolve<Schema>({ $ref })
        return { type, schema: { $ref }, description, example: examples[0] }
      },
    ),
    schemas: components.schemas,
  }
}

function firstExample(media: Partial<Media> | undefined): unknown {
  return Object.values(media?.examples ?? {})[0]?.value
}
