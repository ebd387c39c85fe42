import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import { RefusedRows } from '../contract/row-problem.ts'
import { sheetTypes } from '../contract/sheets.ts'
import { referHeaders } from './headers.ts'
import { errorSchema, problemSchema, rowsProblemSchema, type Schemas } from './schemas.ts'

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

/** One response for all codes of a status, with an example of each in both media types. */
export function describeError(
  codes: readonly ErrorCode[],
  schemas: Schemas,
): Record<string, unknown> {
  const examplesOf = (bodyOf: (code: ErrorCode) => object) =>
    Object.fromEntries(codes.map((code) => [code, { value: bodyOf(code) }]))
  const hasRows = codes.includes('rows_refused')
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    ...referHeaders({ kind: 'error', codes }),
    content: {
      'application/json': {
        schema: schemas.refer(errorSchema),
        examples: examplesOf(plainError),
      },
      'application/problem+json': {
        schema: schemas.refer(hasRows ? rowsProblemSchema : problemSchema),
        examples: examplesOf(problem),
      },
      ...(hasRows && { [sheetTypes.csv]: { schema: schemas.refer(RefusedRows) } }),
    },
    'x-error-codes': codes,
  }
}

function plainError(code: ErrorCode) {
  const { status, title } = errorCodes[code]
  return { code, message: `${title}.`, status }
}

function problem(code: ErrorCode) {
  const { status, title } = errorCodes[code]
  return { type: `urn:petstore:error:${code}`, title, status, detail: `${title}.`, code }
}
