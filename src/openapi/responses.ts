import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { type HeaderName, headersOfSuccess, lifecycleHeaderNames, referHeaders } from './headers.ts'
import type { createSchemas } from './schemas.ts'
import type { SharedResponses } from './shared-responses.ts'

type Schemas = ReturnType<typeof createSchemas>

const unauthorized = [
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
] as const satisfies readonly ErrorCode[]

const codesOfEveryOperation: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  ...unauthorized,
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

/** All responses of an operation, success first. */
export function responsesOf(
  operation: Operation,
  schemas: Schemas,
  shared: SharedResponses,
): Record<string, unknown> {
  const { lifecycle, method } = operation
  const responses: Record<string, unknown> = successOf(operation, schemas)
  if (method === 'GET' && hasTag(operation)) responses[304] = shared.referNotModified(lifecycle)
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => errorCodes[code].status)
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[status] = shared.referError(codes, lifecycle)
  }
  return responses
}

const successes = {
  page: { status: 200, description: 'A page of the list.', own: ['NextPage', 'X-Total-Count'] },
  record: { status: 200, description: 'The record.', own: [] },
  created: { status: 201, description: 'The record was created.', own: ['Location'] },
} as const satisfies Record<string, { status: number; description: string; own: HeaderName[] }>

function successOf(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { returns, item, list = item, idempotency, lifecycle, examples } = operation
  if (returns === 'nothing') {
    return { 204: { description: 'The change was made.', headers: referHeaders(headersOfSuccess) } }
  }
  const { status, description, own } = successes[returns]
  const headers: HeaderName[] = [...own, ...headersOfSuccess]
  if (hasTag(operation)) headers.push('ETag')
  if (idempotency === 'replayed') headers.push('Idempotency-Replayed')
  const { name, summary, response } = examples
  const content = {
    'application/json': {
      schema: schemas.refer(returns === 'page' ? list : item),
      examples: { [name]: { summary, value: response } },
    },
  }
  return {
    [status]: {
      description,
      headers: referHeaders([...headers, ...lifecycleHeaderNames(lifecycle)]),
      content,
      ...linksOf(operation),
    },
  }
}

function hasTag({ hasEntityTag, entityTagFilter }: Operation): boolean {
  return hasEntityTag === true || entityTagFilter !== undefined
}

function linksOf({ links = [] }: Operation): { links?: object } {
  if (links.length === 0) return {}
  const entries = links.map(({ body, ...link }) => [
    link.operationId,
    body === undefined ? link : { ...link, requestBody: body },
  ])
  return { links: Object.fromEntries(entries) }
}
