import {
  PetstoreApiError,
  PetstoreConnectionError,
  PetstoreError,
} from '../../../client/src/index.ts'

const unknownOutcome = 'It is not known whether this was done: check before you repeat it.'

/** What went wrong, for people: what the service says of it, without the words for programs around that. */
export function describeError(error: unknown): string {
  const happened = whatHappened(error)
  return isOutcomeUnknown(error) ? `${happened} ${unknownOutcome}` : happened
}

function whatHappened(error: unknown): string {
  if (error instanceof PetstoreApiError && error.status === 412)
    return 'Somebody else changed it in the meantime. It was left as it is.'
  if (error instanceof PetstoreApiError) return sentenceOf(error)
  if (error instanceof PetstoreConnectionError) {
    return error.isOutcomeUnknown
      ? 'The connection broke.'
      : 'The service did not answer. Nothing was changed.'
  }
  return error instanceof Error ? error.message : String(error)
}

/** The message of the service within that of the error; of what stands in front of the service often only the status is known. */
function sentenceOf({ message, status, code, operation, requestId }: PetstoreApiError): string {
  if (code === undefined && status >= 500 && status !== 504)
    return `The service could not be reached (status ${status}).`
  const start = `${status} ${code ?? ''}`.trim()
  const end = ` (${operation}${requestId === undefined ? '' : `, request ${requestId}`})`
  const inner = message.startsWith(start) ? message.slice(start.length).replace(/^: /, '') : message
  return inner.endsWith(end) ? inner.slice(0, -end.length) : inner
}

/** The problems of a request by the member that they are of; others under ''. */
export function problemsByField(error: unknown): Record<string, string> {
  if (!(error instanceof PetstoreApiError)) return {}
  const fields: Record<string, string> = {}
  for (const { pointer = '', detail } of error.problems) {
    const field = pointer.split('/')[1] ?? ''
    const words = inShopWords(detail)
    fields[field] = fields[field] === undefined ? words : `${fields[field]}; ${words}`
  }
  return fields
}

/** What was received stands in the field. */
function inShopWords(detail: string): string {
  return detail
    .replace(/; received .*/s, '')
    .replace('an integer', 'a whole number')
    .replace(/a string of (.*? characters), .*/s, '$1, not only spaces')
}

/** Whether the request may have been done all the same. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof PetstoreError && error.isOutcomeUnknown
}
