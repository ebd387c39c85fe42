import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { RefusedRows } from '../contract/row-problem.ts'
import { sheetTypes } from '../contract/sheets.ts'
import { referHeaders } from './headers.ts'
import { errorSchema, problemSchema, rowsProblemSchema, type Schemas } from './schemas.ts'

export type SharedResponses = ReturnType<typeof createSharedResponses>

/** The codes of requests that are refused before the key is checked. */
export const codesBeforeKey: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
]

/** The codes of requests without a valid key. */
export const codesOfKeys: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
]

/** The responses that operations share: equal ones are one component, and so are the examples of an error code. */
export function createSharedResponses(schemas: Schemas) {
  const components: Record<string, unknown> = {}
  const examples: Record<string, unknown> = {}

  function refer(name: string, operation: Operation | undefined, response: () => object) {
    const fullName = `${name}${operation?.lifecycle.deprecation ? 'WhenDeprecated' : ''}`
    components[fullName] ??= response()
    return { $ref: `#/components/responses/${fullName}` }
  }

  /** The response of a status that has these error codes. */
  function referError(codes: readonly ErrorCode[], operation?: Operation): { $ref: string } {
    // Lifecycle headers are set at authentication, which an unreadable request never reaches.
    const isBeforeKey = codes.every((code) => codesBeforeKey.includes(code))
    const reached = isBeforeKey ? undefined : operation
    return refer(nameOf(codes), reached, () =>
      describeError({ codes, operation: reached }, schemas, referExample),
    )
  }

  function referNotModified(operation: Operation): { $ref: string } {
    const name = operation.returns === 'file' ? 'FileNotModified' : 'NotModified'
    return refer(name, operation, () => ({
      description: 'The client has the current version.',
      headers: referHeaders({ kind: 'notModified', operation }),
    }))
  }

  function referExample(name: string, value: object): { $ref: string } {
    examples[name] ??= { value }
    return { $ref: `#/components/examples/${name}` }
  }

  return { components, examples, referError, referNotModified }
}

/** One response for all codes of a status, with an example of each in both media types. */
export function describeError(
  { codes, operation }: { codes: readonly ErrorCode[]; operation?: Operation | undefined },
  schemas: Schemas,
  exampleOf: (name: string, value: object) => object = (_, value) => ({ value }),
): Record<string, unknown> {
  const examplesOf = (suffix: string, bodyOf: (code: ErrorCode) => object) =>
    Object.fromEntries(codes.map((code) => [code, exampleOf(`${code}${suffix}`, bodyOf(code))]))
  const hasRows = codes.includes('rows_refused')
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: referHeaders({ kind: 'error', codes, operation }),
    content: {
      'application/json': {
        schema: schemas.refer(errorSchema),
        examples: examplesOf('', plainError),
      },
      'application/problem+json': {
        schema: schemas.refer(hasRows ? rowsProblemSchema : problemSchema),
        examples: examplesOf('_problem', problem),
      },
      ...(hasRows && { [sheetTypes.csv]: { schema: schemas.refer(RefusedRows) } }),
    },
    'x-error-codes': codes,
  }
}

/** Names for generated code; other lists of codes are named by their codes. */
const names: Record<string, readonly ErrorCode[]> = {
  BadRequest: ['invalid_request'],
  InvalidParameters: ['invalid_request', 'invalid_parameter'],
  InvalidListParameters: ['invalid_request', 'invalid_parameter', 'invalid_cursor'],
  InvalidBody: ['invalid_request', 'invalid_parameter', 'invalid_json', 'invalid_body'],
  Unauthorized: codesOfKeys,
  Forbidden: ['insufficient_scope'],
}

function nameOf(codes: readonly ErrorCode[]): string {
  const known = Object.entries(names).find(([, listed]) => String(listed) === String(codes))
  return known?.[0] ?? codes.map(inPascalCase).join('Or')
}

function inPascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function plainError(code: ErrorCode) {
  const { status, title } = errorCodes[code]
  return { code, message: `${title}.`, status }
}

function problem(code: ErrorCode) {
  const { status, title } = errorCodes[code]
  return { type: `urn:petstore:error:${code}`, title, status, detail: `${title}.`, code }
}
