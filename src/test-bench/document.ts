import type * as Type from '../contract/type.ts'
import { allowHeader, headersAt, referHeaders } from '../openapi/headers.ts'
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
    headers: { ...referHeaders(['WWW-Authenticate', 'Retry-After']), Allow: allowHeader },
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
  const all = headersAt(baseUrl)
  return {
    openapi: '3.1.1',
    info: { title: 'Pet Store Test Bench', version: '1.0.0', description },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: Object.fromEntries(headers.map((name) => [name, all[name]])),
      responses: { Error: error },
      schemas: schemas.components,
    },
  }
}

const headers = [...Object.keys(referHeaders([])), 'WWW-Authenticate', 'Retry-After']

const jsonObject = { 'application/json': { schema: { type: 'object' } } }

const ownOperation = {
  operationId: 'getTestBenchDocument',
  summary: 'Get this document',
  security: [],
  responses: {
    200: { description: 'The document.', headers: referHeaders([]), content: jsonObject },
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
        ? { 204: { description: 'Done.', headers: referHeaders([]) } }
        : { 200: { description: 'Done.', headers: referHeaders([]), ...success } }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}
