import type Type from 'typebox'

/** Schemas of an OpenAPI document: those that have an `$id` stand once, in `components.schemas`, and are referred to. */
export function createSchemas() {
  const components: Record<string, unknown> = {}

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    const { $id, allowed: _allowed, ...schema } = value as Record<string, unknown>
    const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, plain(part)]))
    if (typeof $id !== 'string') return copy
    components[$id] ??= copy
    const own = (components[$id] as { description?: unknown }).description
    const description = copy.description === own ? {} : { description: copy.description }
    return { $ref: `#/components/schemas/${$id}`, ...description }
  }

  return {
    components,
    /** The schema as it stands in the document. */
    refer: (schema: Type.TSchema): unknown => plain(schema),
  }
}

/** Interface 1.0.0, section 2. Nothing is ever added to it. */
export const errorSchema = {
  $id: 'Error',
  type: 'object',
  description:
    'What went wrong (`code` for machines, `message` for people) and the HTTP status once more.',
  required: ['code', 'message', 'status'],
  properties: {
    code: {
      type: 'string',
      description: 'Machine-readable error code; each operation lists its own.',
    },
    message: { type: 'string', description: 'Human-readable description.' },
    status: { type: 'integer', description: 'The HTTP status code.' },
  },
  additionalProperties: false,
}

/** RFC 9457, sent to who asks for `application/problem+json`. */
export const problemSchema = {
  $id: 'Problem',
  type: 'object',
  description: 'The same error as problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      description: 'Names the kind of problem, one for each code.',
    },
    title: { type: 'string', description: 'The kind of problem in words.' },
    status: { type: 'integer', description: 'The HTTP status code.' },
    detail: { type: 'string', description: 'The `message` of the plain error.' },
    code: { type: 'string', description: 'Machine-readable error code.' },
    errors: {
      type: 'array',
      description: 'Each single thing that is wrong with the request.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { type: 'string', description: 'Where in the body (RFC 6901).' },
          parameter: { type: 'string', description: 'Which parameter.' },
          detail: { type: 'string', description: 'What is wrong there.' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
