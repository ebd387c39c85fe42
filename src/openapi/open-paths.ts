import type * as Type from '../contract/type.ts'
import { referHeaders } from './headers.ts'
import { stabilityMarks } from './operation-object.ts'
import type { sharedParameters } from './parameters.ts'
import { type createSchemas, documentSchema, livenessSchema, readinessSchema } from './schemas.ts'
import type { SharedResponses } from './shared-responses.ts'

type Schemas = ReturnType<typeof createSchemas>

/** The paths without a key: health and the document, below the base address and beside it. */
export function openPaths(
  schemas: Schemas,
  { referError }: SharedResponses,
): Record<string, unknown> {
  const json = (description: string, schema: Type.TSchema, value: object) => ({
    description,
    headers: referHeaders([]),
    content: {
      'application/json': {
        schema: schemas.refer(schema),
        examples: { success: { summary: description, value } },
      },
    },
  })
  const beforeRouting = {
    400: referError(['invalid_request']),
    408: referError(['request_timeout']),
    431: referError(['headers_too_large']),
  }
  return {
    '/health/live': openPath({
      operationId: 'getLiveness',
      summary: 'Check that the process runs',
      description: 'Returns 200 while the process runs, whatever the state of its database.',
      responses: {
        ...beforeRouting,
        200: json('The process runs.', livenessSchema, { status: 'live' }),
      },
    }),
    '/health/ready': openPath({
      operationId: 'getReadiness',
      summary: 'Check that the service is ready',
      description:
        'Returns 200 once a commit to the database succeeds, and 503 if none does or the process is stopping.',
      responses: {
        ...beforeRouting,
        200: json('The service takes requests.', readinessSchema, { status: 'ready' }),
        500: referError(['internal_error']),
        503: referError(['unavailable']),
      },
    }),
    '/openapi.json': openPath({
      operationId: 'getDocument',
      summary: 'Get this document',
      description: 'Returns the OpenAPI 3.1 document of the service, compressed on request.',
      parameters: ['IfNoneMatch'],
      responses: {
        ...beforeRouting,
        200: {
          ...json('The document.', documentSchema, { openapi: '3.1.1' }),
          headers: referHeaders(['ETag', 'Vary', 'Content-Encoding']),
        },
        304: {
          description: 'The client has the current version.',
          headers: referHeaders(['ETag', 'Vary']),
        },
        503: referError(['unavailable']),
      },
    }),
  }
}

type OpenOperation = {
  operationId: string
  summary: string
  description: string
  parameters?: (keyof typeof sharedParameters)[]
  responses: Record<number, unknown>
}

function openPath({ parameters = [], responses, ...described }: OpenOperation) {
  return {
    get: {
      ...described,
      tags: ['service'],
      ...stabilityMarks.beta,
      security: [],
      parameters: [...parameters, 'RequestId'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      responses,
    },
  }
}
