import type * as Type from '../contract/type.ts'
import { headersAt, referHeaders } from '../openapi/headers.ts'
import { createSchemas, errorSchema } from '../openapi/schemas.ts'
import { type Control, journalParameters } from './control.ts'

const description = `Controls a store in memory, for tests: its contents, clock, keys, faults, and the journal of its requests.
Only \`petstore serve --ephemeral\` and \`startPetstore()\` have it. It takes only the key that the start printed.`

/** Assembles the OpenAPI 3.1 document of the control interface. */
export function assembleTestBenchDocument(
  controls: readonly Control[],
  baseUrl: string,
): Record<string, unknown> {
  const schemas = createSchemas()
  const error = {
    description: 'An error, in the form of all errors of the service.',
    headers: referHeaders({ kind: 'error', codes }),
    content: {
      'application/json': { schema: schemas.refer(errorSchema as unknown as Type.TSchema) },
    },
  }
  const paths: Record<string, Record<string, unknown>> = { '/openapi.json': { get: ownOperation } }
  for (const control of controls) {
    paths[control.path] = {
      ...paths[control.path],
      [control.method.toLowerCase()]: operationOf(control, schemas),
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Pet Store Test Bench', version: '1.0.0', description },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: headersAt(baseUrl, JSON.stringify([paths, error])),
      responses: { Error: error },
      schemas: schemas.components,
    },
  }
}

const codes = ['missing_api_key', 'unavailable', 'method_not_allowed'] as const
const plain = referHeaders({ kind: 'error' })

const jsonObject = { 'application/json': { schema: { type: 'object' } } }

const ownOperation = {
  operationId: 'getTestBenchDocument',
  summary: 'Get this document',
  security: [],
  responses: {
    200: { description: 'The document.', headers: plain, content: jsonObject },
    default: { $ref: '#/components/responses/Error' },
  },
}

function operationOf(control: Control, schemas: ReturnType<typeof createSchemas>) {
  const { operationId, summary, body, example, path } = control
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const filters = journalParameters.map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }))
  const all = [...parameters, ...(operationId === 'listRequests' ? filters : [])]
  const success = { content: { 'application/json': { schema: { type: 'object' }, example } } }
  return {
    operationId,
    summary,
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body
      ? {
          requestBody: {
            content: { 'application/json': { schema: schemas.refer(body as Type.TSchema) } },
          },
        }
      : {}),
    responses: {
      ...(example === undefined
        ? { 204: { description: 'Done.', headers: plain } }
        : { 200: { description: 'Done.', headers: plain, ...success } }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}
