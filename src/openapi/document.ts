import type { Environment } from '../config/settings.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import type { EventTypes } from '../contract/event-type.ts'
import type { Operation } from '../contract/operation.ts'
import { localBaseUrl, locationMax } from '../contract/response-headers.ts'
import { describeError } from './error-responses.ts'
import { describeCommonHeaders, headersAt, referHeaders } from './headers.ts'
import { operationObject } from './operation-object.ts'
import { parametersIn } from './parameters.ts'
import { createSchemas, type Schemas } from './schemas.ts'
import { webhookParameters, webhooksOf } from './webhooks.ts'

/** Interface 1.0.0, section 9. */
const interfaceVersion = '1.0.0'

/** The base addresses of this process and of its sibling, both ending in /v1. A store in memory has no sibling. */
type Servers = {
  environment: Environment
  baseUrl: string
  siblingUrl?: string | undefined
}

const defaultServers: Servers = {
  environment: 'production',
  baseUrl: localBaseUrl,
  siblingUrl: 'http://127.0.0.1:8081/v1',
}

const description = `The catalogue of a pet store, and the orders that sell from it.

Every operation but those of \`service\` takes an API key: \`Authorization: Bearer <API_KEY>\`. Bodies are JSON in UTF-8.
\`id\`, \`categoryId\` and \`petId\` are 64-bit integers: read them with a parser that does not round them.

Unknown query parameters and body members are ignored, and named in \`Petstore-Ignored\`. With
\`Prefer: handling=strict\` they are refused with 400, and the message suggests the nearest known name.

Lists are returned in pages, in ascending order of ids. Follow the \`next\` link of the \`Link\` header until it is
absent. A client that cannot read headers sends the last id of a page as \`after\` to get the next one; a page with
fewer than \`limit\` records is the last, except of events. Errors have the members \`code\`, \`message\` and \`status\`; with
\`Accept: application/problem+json\` they are problem details (RFC 9457). A POST request with an \`Idempotency-Key\` can
be repeated safely.

Operations marked \`beta\` may change in any version. All others are stable: what works with them continues to work.`

/** Assembles the OpenAPI 3.1 document of these operations, and of webhooks for these events. */
export function assembleDocument(
  operations: readonly Operation[],
  eventTypes: EventTypes,
  { environment, baseUrl, siblingUrl }: Servers = defaultServers,
): Record<string, unknown> {
  // Paths beside the base address.
  const docsUrl = `${baseUrl.replace(/\/v1$/, '')}/docs`
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store Service',
      version: interfaceVersion,
      summary: 'The pet store, exact to its published interface.',
      description,
      contact: { name: 'The operator of this store', url: docsUrl },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    externalDocs: { description: 'Reference with a panel to try each operation', url: docsUrl },
    servers: [
      serverOf(environment, baseUrl),
      ...(siblingUrl === undefined ? [] : [serverOf(siblings[environment], siblingUrl)]),
    ],
    ...describeOperations(operations, {
      baseUrl,
      eventTypes,
      keyDescription:
        'An API key of the environment: `pet_live_…` in production, `pet_test_…` in staging.',
    }),
  }
}

type Describing = { baseUrl: string; keyDescription: string; eventTypes?: EventTypes }

/** The members of a document that follow from its operations and from the types of events. */
export function describeOperations(
  operations: readonly Operation[],
  { baseUrl, keyDescription, eventTypes }: Describing,
): Record<string, unknown> {
  const schemas = createSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, schemas),
    }
  }
  const ofAnyPath = anyPath(schemas)
  const text = JSON.stringify(paths)
  return {
    security: [{ bearerAuth: [] }],
    tags: tagsOf(operations),
    paths,
    ...(eventTypes && { webhooks: webhooksOf(eventTypes, schemas) }),
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: keyDescription },
      },
      parameters: { ...parametersIn(text), ...(eventTypes && webhookParameters) },
      headers: headersAt(baseUrl, text),
      schemas: schemas.components,
    },
    'x-any-path': ofAnyPath,
    // Headers that any response may have: no response repeats them.
    'x-any-response': { headers: describeCommonHeaders(baseUrl) },
  }
}

const siblings = { production: 'staging', staging: 'production' } as const

const serverDescriptions = {
  production: 'Production',
  staging: 'Staging: its own data and its own keys',
} as const

/** Tools use the first server, so it is the one that serves the document. */
function serverOf(environment: Environment, url: string) {
  return { url, description: serverDescriptions[environment] }
}

const link = { type: 'string', format: 'uri', maxLength: locationMax }

const frontDoorSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['environment', 'baseUrl', 'openapi', 'docs', 'guides', 'live', 'ready'],
  properties: {
    environment: { type: 'string', enum: Object.keys(siblings) },
    ...Object.fromEntries(
      ['baseUrl', 'openapi', 'docs', 'guides', 'console', 'live', 'ready'].map((name) => [
        name,
        link,
      ]),
    ),
  },
}

/** Responses that occur on any path and method, for which OpenAPI has no element. */
function anyPath(schemas: Schemas) {
  const error = (code: ErrorCode) => describeError([code], schemas)
  return {
    200: {
      description:
        'The response to GET at `/`, beside the base address: where everything is. A browser, whose `Accept` ranks `text/html` above JSON, gets a page.',
      ...referHeaders({ kind: 'frontDoor' }),
      content: { 'application/json': { schema: frontDoorSchema } },
    },
    204: {
      description: 'The response to OPTIONS; `Allow` lists the methods.',
      ...referHeaders({ kind: 'methods' }),
    },
    400: error('invalid_request'),
    404: {
      ...error('not_found'),
      description:
        '`not_found`: The resource could not be found. Outside of `/v1` a browser, whose `Accept` ranks `text/html` above JSON, gets a page.',
    },
    405: error('method_not_allowed'),
    408: error('request_timeout'),
    431: error('headers_too_large'),
    503: error('unavailable'),
  }
}

function tagsOf(operations: readonly Operation[]) {
  const tags = new Set(operations.map(({ tag }) => tag))
  return [...tags].map(({ name, displayName, description }) => ({
    name,
    'x-displayName': displayName,
    description,
  }))
}
