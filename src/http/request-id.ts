import type { IncomingMessage } from 'node:http'

const acceptable = /^[\x21-\x7e]{1,128}$/

/** Numbers requests within this process; a caller's own `X-Request-Id` is kept where it is plain. */
export function createRequestIds(prefix: string): (request: IncomingMessage) => string {
  let count = 0
  return ({ headers }) => {
    const sent = headers['x-request-id']
    if (typeof sent === 'string' && acceptable.test(sent)) return sent
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
