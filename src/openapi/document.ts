import { type ErrorCode, errorCodes } from '../errors.ts'
import type { BoundOperation } from '../http/operation.ts'
import type { Environment } from '../settings.ts'
import { allowHeader, headers, referHeaders } from './headers.ts'
import { openPaths } from './open-paths.ts'
import { operationObject, sharedParameters } from './operation-object.ts'
import { errorResponse, sharedResponses } from './responses.ts'
import { createSchemas } from './schemas.ts'

/** Interface 1.0.0, section 9. */
const interfaceVersion = '1.0.0'

/** The base addresses of this process and of its sibling, both ending in /v1. */
export type Servers = { environment: Environment; baseUrl: string; siblingUrl: string }

const defaultServers: Servers = {
  environment: 'production',
  baseUrl: 'http://127.0.0.1:8080/v1',
  siblingUrl: 'http://127.0.0.1:8081/v1',
}

const description = `The catalogue of a pet store, and the store that sells from it.

Every operation takes an API key: \`Authorization: Bearer <API_KEY>\`. Bodies are JSON in UTF-8. \`id\`, \`categoryId\`
and \`petId\` are integers of 64 bits, digit for digit: read them with a parser that does not round them.

Lists come in pages, in ascending order of ids: follow the \`next\` link of the \`Link\` header until there is none.
Errors have the members \`code\`, \`message\` and \`status\`; with \`Accept: application/problem+json\` they are problem
details (RFC 9457). A POST that carries an \`Idempotency-Key\` can be sent again without being done twice. Operations marked \`beta\` or \`experimental\` may still change.`

/** Assembles the OpenAPI 3.1 document of all operations. */
export function assembleDocument(
  operations: readonly BoundOperation[],
  { environment, baseUrl, siblingUrl }: Servers = defaultServers,
): Record<string, unknown> {
  const schemas = createSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { operation } of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, schemas),
    }
  }
  const [production, staging] =
    environment === 'production' ? [baseUrl, siblingUrl] : [siblingUrl, baseUrl]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store Service',
      version: interfaceVersion,
      summary: 'The pet store, exact to its published interface.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: production, description: 'Production' },
      { url: staging, description: 'Staging: its own data and its own keys' },
    ],
    security: [{ bearerAuth: [] }],
    tags: [
      { name: 'animals', description: 'The catalogue of animals.' },
      { name: 'store', description: 'Selling from the catalogue.' },
      { name: 'service', description: 'How the service is, and this document. No key is needed.' },
    ],
    paths: { ...paths, ...openPaths(baseUrl.replace(/\/v1$/, ''), schemas) },
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of this environment: `pet_live_…` in production, `pet_test_…` in staging.',
        },
      },
      parameters: sharedParameters,
      headers,
      responses: sharedResponses(schemas),
      schemas: schemas.components,
    },
    'x-any-path': anyPath(schemas),
  }
}

/** What can be answered whatever the path and the method. OpenAPI has no place for it. */
function anyPath(schemas: ReturnType<typeof createSchemas>) {
  const anywhere = (code: ErrorCode) => errorResponse(errorCodes[code].status, [code], [], schemas)
  const notAllowed = anywhere('method_not_allowed')
  return {
    204: {
      description: 'An answer to OPTIONS; `Allow` lists the methods.',
      headers: { ...referHeaders([]), Allow: allowHeader },
    },
    400: anywhere('invalid_request'),
    404: anywhere('not_found'),
    405: { ...notAllowed, headers: { ...referHeaders([]), Allow: allowHeader } },
    408: anywhere('request_timeout'),
    431: anywhere('headers_too_large'),
    503: anywhere('unavailable'),
  }
}
