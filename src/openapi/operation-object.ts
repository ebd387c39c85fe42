import type Type from 'typebox'
import { idempotencyKeyMax } from '../http/idempotency.ts'
import type { Operation } from '../http/operation.ts'
import { pageParameters } from '../http/parameters.ts'
import { responsesOf } from './responses.ts'
import type { createSchemas } from './schemas.ts'

type Schemas = ReturnType<typeof createSchemas>

/** oasdiff's word for each of our marks. */
const stabilityLevels = { experimental: 'alpha', beta: 'beta' } as const

/** An operation as the document describes it. */
export function operationObject(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { operationId, tag, summary, description, body, examples } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...lifecycleOf(operation),
    parameters: parametersOf(operation, schemas),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: 'At most 65,536 bytes of JSON in UTF-8. Unknown members are ignored.',
            content: {
              'application/json': { schema: schemas.refer(body), example: examples.body },
            },
          },
        }),
    responses: responsesOf(operation, schemas),
  }
}

function lifecycleOf({ lifecycle: { stability, deprecation, tryItPanel } }: Operation) {
  const removedOn = deprecation?.removedAt.slice(0, 10)
  return {
    ...(deprecation
      ? { deprecated: true, 'x-deprecated-sunset': removedOn, 'x-sunset': removedOn }
      : {}),
    ...(stability
      ? { 'x-stability': stability, 'x-stability-level': stabilityLevels[stability] }
      : {}),
    ...(tryItPanel === false ? { 'x-hideTryItPanel': true } : {}),
  }
}

function parametersOf(operation: Operation, schemas: Schemas): unknown[] {
  const { pathParameter, answers, query, isTagged, tagFilter, method } = operation
  const isList = answers === 'page'
  const parameters: unknown[] = []
  if (pathParameter) {
    parameters.push({
      name: pathParameter.name,
      in: 'path',
      required: true,
      description: pathParameter.description,
      schema: { type: 'integer', format: 'int64', minimum: 0 },
      example: 1,
    })
  }
  const queries = { ...(isList ? pageParameters.properties : {}), ...query?.properties }
  for (const [name, schema] of Object.entries(queries))
    parameters.push(queryParameter(operation, name, schema, schemas))
  const refer = (name: keyof typeof sharedParameters) =>
    parameters.push({ $ref: `#/components/parameters/${name}` })
  if (isList) refer('Prefer')
  if (method === 'GET' && (isTagged || tagFilter)) refer('IfNoneMatch')
  if (isTagged && (method === 'PATCH' || method === 'DELETE')) refer('IfMatch')
  if (method === 'POST') refer('IdempotencyKey')
  refer('RequestId')
  return parameters
}

function queryParameter(
  { examples }: Operation,
  name: string,
  property: Type.TSchema,
  schemas: Schemas,
) {
  const { description, ...schema } = property as Type.TSchema & { description?: string }
  const example = examples.query?.[name]
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema: schemas.refer(schema),
    ...(example === undefined ? {} : { example }),
  }
}

/** Parameters that several operations share. */
export const sharedParameters = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`count=exact` asks for `X-Total-Count` (RFC 7240).',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'Entity tags of what is known already; answered with 304 while one is current (RFC 9110).',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'Entity tags of the record as you know it: the change is made only while one is current (RFC 9110).',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own name for this request, new for each: sent again within 24 hours, it is answered as the first time and done once. With or without double quotes.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own name for this request, 1 to 128 visible ASCII characters; it comes back and stands in our log.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
}
