import { referHeaders } from './headers.ts'
import { errorResponse, referResponse } from './responses.ts'
import type { createSchemas } from './schemas.ts'

/** The paths that need no key: health beside the base address, and the document itself below it. */
export function openPaths(
  origin: string,
  schemas: ReturnType<typeof createSchemas>,
): Record<string, unknown> {
  const servers = [{ url: origin, description: 'The service itself, beside its base address' }]
  const failures = {
    400: errorResponse(400, ['invalid_request'], [], schemas),
    408: referResponse('request_timeout'),
    431: referResponse('headers_too_large'),
    503: referResponse('unavailable'),
  }
  const open = (
    operationId: string,
    summary: string,
    text: string,
    schema: object,
    example: object,
    moreFailures: object = {},
  ) => ({
    get: {
      operationId,
      tags: ['service'],
      summary,
      description: text,
      'x-stability': 'beta',
      'x-stability-level': 'beta',
      security: [],
      responses: {
        200: {
          description: summary,
          headers: referHeaders([]),
          content: { 'application/json': { schema, example } },
        },
        ...failures,
        ...moreFailures,
      },
    },
  })
  const healthSchema = (status: string) => ({
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', const: status, description: `Always \`${status}\`.` } },
    additionalProperties: false,
  })
  return {
    '/health/live': {
      servers,
      ...open(
        'getLiveness',
        'The process answers',
        'Says nothing of the store.',
        healthSchema('live'),
        { status: 'live' },
      ),
    },
    '/health/ready': {
      servers,
      ...open(
        'getReadiness',
        'The service takes requests',
        'The store has just shown that it can commit; 503 otherwise.',
        healthSchema('ready'),
        { status: 'ready' },
        { 500: referResponse('internal_error') },
      ),
    },
    '/openapi.json': open(
      'getDocument',
      'This document',
      'OpenAPI 3.1.',
      { type: 'object' },
      { openapi: '3.1.1' },
    ),
  }
}
