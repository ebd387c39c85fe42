import { problemsMax } from '../contract/problem.ts'
import { RowProblem, rowProblems } from '../contract/row-problem.ts'
import { ownKeywords } from '../contract/schemas.ts'
import type * as Type from '../contract/type.ts'

export type Schemas = ReturnType<typeof createSchemas>

/** The schemas of an OpenAPI document: a schema with an `$id` becomes a reference into `components.schemas`. */
export function createSchemas() {
  const components: Record<string, unknown> = {}

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    const { $id, ...schema } = value as Record<string, unknown>
    const shown = Object.entries(schema).filter(([key]) => !ownKeywords.includes(key))
    const copy = Object.fromEntries(shown.map(([key, part]) => [key, plain(part)]))
    if (typeof $id !== 'string') return copy
    components[$id] ??= copy
    const own = (components[$id] as { description?: unknown }).description
    const description = copy.description === own ? {} : { description: copy.description }
    return { $ref: `#/components/schemas/${$id}`, ...description }
  }

  return {
    components,
    /** The schema for the document. */
    refer: (schema: Type.TSchema): unknown => plain(schema),
  }
}

const status = {
  type: 'integer',
  format: 'int32',
  minimum: 400,
  maximum: 599,
  description: 'The HTTP status code.',
  examples: [404],
}
const code = {
  type: 'string',
  maxLength: 64,
  pattern: '^[a-z_]+$',
  description: 'Machine-readable error code; each operation lists its own.',
  examples: ['not_found'],
}
/** A refusal is no larger as a whole. */
const messageMax = 65_536
const message = (description: string, example: string) => ({
  type: 'string',
  maxLength: messageMax,
  description,
  examples: [example],
})

/** Interface 1.0.0, section 2. Nothing is ever added to it. */
export const errorSchema = {
  $id: 'Error',
  type: 'object',
  description: 'An error: a `code` for programs, a `message` for people, the HTTP `status`.',
  required: ['code', 'message', 'status'],
  properties: {
    code,
    message: message('Human-readable description.', 'There is no pet with the id 7.'),
    status,
  },
  additionalProperties: false,
  examples: [{ code: 'not_found', message: 'There is no pet with the id 7.', status: 404 }],
}

/** RFC 9457, sent to clients that accept `application/problem+json`. */
export const problemSchema = {
  $id: 'Problem',
  type: 'object',
  description: 'The same error as problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      maxLength: 100,
      description: 'Identifies the kind of problem, one for each code.',
      examples: ['urn:petstore:error:not_found'],
    },
    title: {
      type: 'string',
      maxLength: 200,
      description: 'The kind of problem in words.',
      examples: ['The resource could not be found'],
    },
    status,
    detail: message(
      'The same text as `message` of the plain error.',
      'There is no pet with the id 7.',
    ),
    code,
    errors: {
      type: 'array',
      maxItems: problemsMax,
      description: `Each problem with the request; of more than ${problemsMax}, the first.`,
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: {
            type: 'string',
            maxLength: 1_000,
            description: 'Where in the body (RFC 6901).',
            examples: ['/name'],
          },
          parameter: {
            type: 'string',
            maxLength: 100,
            description: 'Which parameter.',
            examples: ['limit'],
          },
          detail: message('What is wrong there.', 'must be an integer from 1 to 100; received 101'),
        },
        additionalProperties: false,
      },
      examples: [
        [{ parameter: 'limit', detail: 'must be an integer from 1 to 100; received 101' }],
      ],
    },
  },
  additionalProperties: false,
  examples: [
    {
      type: 'urn:petstore:error:not_found',
      title: 'The resource could not be found',
      status: 404,
      detail: 'There is no pet with the id 7.',
      code: 'not_found',
    },
  ],
}

const { errors, ...problemMembers } = problemSchema.properties

/** As `problemSchema`, of an imported file. */
export const rowsProblemSchema = {
  ...problemSchema,
  $id: 'RowsProblem',
  description: 'An error of an imported file as problem details (RFC 9457).',
  properties: {
    ...problemMembers,
    errors: {
      ...errors,
      description: 'The problems of its rows, in the order of the file.',
      items: RowProblem,
      examples: [rowProblems],
    },
  },
}
