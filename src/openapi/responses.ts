import { type ErrorCode, errorCodes, errorKindOf } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { type HeaderName, headersOfSuccess, lifecycleHeaderNames, referHeaders } from './headers.ts'
import { type createSchemas, errorSchema, problemSchema } from './schemas.ts'

type Schemas = ReturnType<typeof createSchemas>

/** Shared responses. */
const shared = {
  BadRequest: ['invalid_request'],
  Unauthorized: ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key'],
  Forbidden: ['insufficient_scope'],
  NotFound: ['not_found'],
  RequestTimeout: ['request_timeout'],
  PreconditionFailed: ['precondition_failed'],
  BodyTooLarge: ['body_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  IdempotencyKeyReused: ['idempotency_key_reused'],
  HeadersTooLarge: ['headers_too_large'],
  InternalError: ['internal_error'],
  Unavailable: ['unavailable'],
} as const satisfies Record<string, readonly ErrorCode[]>

/** `components.responses`. */
export function sharedResponses(schemas: Schemas): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shared).map(([name, codes]) => [
      name,
      errorResponse(errorCodes[codes[0]].status, codes, [], schemas),
    ]),
  )
}

/** Finds a shared response by its exact list of codes. */
export function referResponse(codes: readonly ErrorCode[]): { $ref: string } | undefined {
  const found = Object.entries(shared).find(([, others]) => String(others) === String(codes))
  return found && { $ref: `#/components/responses/${found[0]}` }
}

const codesOfEveryOperation: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  ...shared.Unauthorized,
  'insufficient_scope',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
]

/** Every error code of an operation. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = [...codesOfEveryOperation, ...operation.errors]
  if (operation.returns === 'page') codes.push('invalid_cursor')
  if (operation.idempotency) codes.push('idempotency_key_in_use', 'idempotency_key_reused')
  if (operation.body)
    codes.push('invalid_json', 'invalid_body', 'body_too_large', 'unsupported_media_type')
  else if (operation.method !== 'GET') codes.push('body_too_large')
  if (operation.lifecycle.deprecation) codes.push('operation_removed')
  return codes
}

/** The codes of requests that are refused before the key is checked. */
export const codesBeforeKey: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
]

/** All responses of an operation, success first. */
export function responsesOf(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const lifecycleHeaders = lifecycleHeaderNames(operation.lifecycle)
  const responses: Record<string, unknown> = successOf(operation, lifecycleHeaders, schemas)
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => errorCodes[code].status)
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    // Lifecycle headers are set at authentication, which an unreadable request never reaches.
    const isBeforeKey = codes.every((code) => codesBeforeKey.includes(code))
    const moreHeaders: HeaderName[] = [
      ...(codes.includes('invalid_parameter') ? (['Preference-Applied'] as const) : []),
      ...(isBeforeKey ? [] : lifecycleHeaders),
    ]
    const isShared = moreHeaders.length === 0
    responses[status] =
      (isShared && referResponse(codes)) || errorResponse(status, codes, moreHeaders, schemas)
  }
  return responses
}

function successOf(
  operation: Operation,
  lifecycleHeaders: HeaderName[],
  schemas: Schemas,
): Record<string, unknown> {
  const {
    method,
    returns,
    item,
    list = item,
    hasEntityTag,
    entityTagFilter,
    idempotency,
  } = operation
  const { name, summary, response } = operation.examples
  const success = (description: string, headers: HeaderName[]) => ({
    description,
    headers: referHeaders(headers),
    content: {
      'application/json': {
        schema: schemas.refer(returns === 'page' ? list : item),
        examples: { [name]: { summary, value: response } },
      },
    },
    ...linksOf(operation),
  })
  const notModified = {
    description: 'The record has not changed.',
    headers: referHeaders(['ETag', ...lifecycleHeaders]),
  }
  const tag: HeaderName[] = hasEntityTag || entityTagFilter ? ['ETag'] : []
  const replay: HeaderName[] = idempotency === 'replayed' ? ['Idempotency-Replayed'] : []
  const isConditional = tag.length > 0 && method === 'GET'
  switch (returns) {
    case 'page':
      return {
        200: success('A page of the list.', [
          'NextPage',
          'X-Total-Count',
          ...headersOfSuccess,
          ...tag,
        ]),
        ...(isConditional ? { 304: notModified } : {}),
      }
    case 'record':
      return {
        200: success('The record.', [...headersOfSuccess, ...tag, ...replay, ...lifecycleHeaders]),
        ...(isConditional ? { 304: notModified } : {}),
      }
    case 'created':
      return {
        201: success('The record was created.', [
          'Location',
          ...headersOfSuccess,
          ...tag,
          ...replay,
        ]),
      }
    case 'nothing':
      return {
        204: { description: 'The change was made.', headers: referHeaders(headersOfSuccess) },
      }
  }
}

function linksOf({ links = [] }: Operation): { links?: object } {
  if (links.length === 0) return {}
  const entries = links.map(({ body, ...link }) => [
    link.operationId,
    body === undefined ? link : { ...link, requestBody: body },
  ])
  return { links: Object.fromEntries(entries) }
}

/** One response for all codes of a status, with an example of each. */
export function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  moreHeaders: readonly HeaderName[],
  schemas: Schemas,
): Record<string, unknown> {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { code, message: `${errorCodes[code].title}.`, status } }]),
  )
  const problems = Object.fromEntries(
    codes.map((code) => [
      code,
      {
        value: {
          type: `urn:petstore:error:${code}`,
          title: errorCodes[code].title,
          status,
          detail: `${errorCodes[code].title}.`,
          code,
        },
      },
    ]),
  )
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: referHeaders([...headersOf(status, codes), ...moreHeaders]),
    content: {
      'application/json': { schema: schemas.refer(errorSchema), examples },
      'application/problem+json': { schema: schemas.refer(problemSchema), examples: problems },
    },
    'x-error-codes': codes,
  }
}

function headersOf(status: number, codes: readonly ErrorCode[]): HeaderName[] {
  if (status === 401) return ['WWW-Authenticate']
  if (status === 403) return ['WWW-Authenticate', 'Petstore-Scopes']
  return codes.some((code) => errorKindOf(code).retryAfterSeconds) ? ['Retry-After'] : []
}
