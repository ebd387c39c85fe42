import type { IncomingMessage } from 'node:http'

/** A UUID, the id of a W3C trace, or a word such as a ULID that does not begin as a key does. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const traceId = /^[\da-f]{32}$/i
const word = /^(?!pet_)[\w-]{1,30}$/i

/**
 * Numbers the requests of this process. A client's `X-Request-Id` is used if it has the form of an identifier, since it is
 * repeated in responses and in the log.
 */
export function createRequestIds(
  prefix: string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0
  return ({ headers }) => {
    const sent = headers['x-request-id']
    if (typeof sent === 'string' && (word.test(sent) || uuid.test(sent) || traceId.test(sent))) {
      return sent
    }
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
