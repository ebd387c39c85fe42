import type { IncomingMessage } from 'node:http'
import { holdsKey } from '../../features/keys/mask-keys.ts'

const acceptable = /^[\x21-\x7e]{1,128}$/
/** UUIDs and trace ids. */
const hexadecimal = /^[\da-fA-F-]+$/
/** ASCII letters and digits in hexadecimal: possibly an encoded key. */
const lettersInHexadecimal = /(?:[2-7][\da-fA-F]-?){9}/

/**
 * Numbers the requests of this process. A client's `X-Request-Id` is used if it is plain and contains no key, since
 * it is repeated in responses and in the log.
 */
export function createRequestIds(
  prefix: string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0
  return ({ headers }) => {
    const sent = headers['x-request-id']
    if (typeof sent === 'string' && acceptable.test(sent)) {
      const isHexadecimal = hexadecimal.test(sent) && !lettersInHexadecimal.test(sent)
      if (isHexadecimal || !holdsKey(sent, headers.authorization)) return sent
    }
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
