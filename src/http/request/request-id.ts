import type { IncomingMessage } from 'node:http'
import { holdsKey } from '../../features/keys/mask-keys.ts'

const acceptable = /^[\x21-\x7e]{1,128}$/
/** UUIDs and ids of traces, unless they are letters and digits in hexadecimal. */
const hexadecimal = /^[\da-fA-F-]+$/
const lettersInHexadecimal = /(?:[2-7][\da-fA-F]-?){9}/

/**
 * Numbers requests within this process; a caller's own `X-Request-Id` is kept where it is plain, and has no key in it:
 * it is repeated in answers and in the log.
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
