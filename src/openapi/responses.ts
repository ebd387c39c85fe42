import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import { alternativeOf, contentOf, type Operation } from '../contract/operation.ts'
import { codesBeforeKey, codesOfKeys, describeError } from './error-responses.ts'
import { referHeaders } from './headers.ts'
import type { Schemas } from './schemas.ts'

/** The error codes of every operation with a key. */
const codesWithKey: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  ...codesOfKeys,
  'rate_limited',
  'insufficient_scope',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
]

/** Every error code of an operation. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = [
    ...(operation.scope === 'public' ? codesBeforeKey : codesWithKey).filter(
      (code) => code !== 'insufficient_scope' || operation.scope !== 'anyKey',
    ),
    ...operation.errors,
  ]
  if (operation.returns === 'page') codes.push('invalid_cursor')
  if (operation.returns === 'file') codes.push('range_not_satisfiable')
  if (operation.idempotency)
    codes.push('idempotency_key_in_use', 'idempotency_key_reused', 'too_many_idempotency_keys')
  if (operation.body) {
    if (contentOf(operation.body).schema) codes.push('invalid_json', 'invalid_body')
    codes.push('body_too_large', 'unsupported_media_type')
  }
  if (operation.lifecycle.deprecation) codes.push('operation_removed')
  return codes
}

/** All responses of an operation, success first. */
export function responsesOf(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const responses: Record<string, unknown> = successOf(operation, schemas)
  if (operation.condition === 'If-None-Match') {
    responses[304] = {
      description: 'The client has the current version.',
      ...referHeaders({ kind: 'notModified', operation }),
    }
  }
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => errorCodes[code].status)
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[status] = describeError(codes, schemas)
  }
  return responses
}

const successes = {
  page: { status: 200, description: 'A page of the list.' },
  record: { status: 200, description: 'The record.' },
  created: { status: 201, description: 'The record was created.' },
  replaced: { status: 200, description: 'The record, as it is now.' },
  nothing: { status: 204, description: 'The change was made.' },
  value: { status: 200, description: undefined },
  stream: { status: 200, description: undefined },
  file: { status: 200, description: undefined },
} as const

function successOf(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { returns, examples } = operation
  const { status, description = examples.summary } = successes[returns]
  const alternative = alternativeOf(operation)
  const content = {
    ...mediaOf(operation, schemas),
    ...(alternative ? mediaOf(alternative, schemas) : {}),
  }
  const partial = {
    description: 'The range that was asked for.',
    ...referHeaders({ kind: 'partial', operation }),
    // The examples show whole files.
    content: Object.fromEntries(
      Object.entries(content).map(([type, { schema }]) => [type, { schema }]),
    ),
  }
  const successWith = (text: string, isNew = false) => ({
    description: text,
    ...referHeaders({ kind: 'success', operation, isNew }),
    ...(returns === 'nothing' ? {} : { content }),
    ...linksOf(operation),
  })
  return {
    ...(returns === 'file' ? { 206: partial } : {}),
    ...(returns === 'replaced' ? { 201: successWith(successes.created.description, true) } : {}),
    [status]: successWith(description),
  }
}

function mediaOf(operation: Operation, schemas: Schemas) {
  const { returns, item, list = item, mediaTypes = ['application/json'], examples } = operation
  const { name, summary, response, responses } = examples
  const schema = schemas.refer(returns === 'page' ? list : item)
  const mediaFor = (type: string) => ({
    schema,
    examples: { [name]: { summary, value: responses?.[type] ?? response } },
  })
  return Object.fromEntries(mediaTypes.map((type) => [type, mediaFor(type)]))
}

function linksOf({ links = [] }: Operation): { links?: object } {
  if (links.length === 0) return {}
  const entries = links.map(({ body, ...link }) => [
    link.operationId,
    body === undefined ? link : { ...link, requestBody: body },
  ])
  return { links: Object.fromEntries(entries) }
}
