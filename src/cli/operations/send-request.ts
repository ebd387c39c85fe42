import type { IncomingMessage } from 'node:http'

/**
 * `fetch`, as far as the client uses it. To load that of the platform takes twice
 * as long as to start Node.
 */
export function createFetch(): typeof fetch {
  return (async (url: string, init: RequestInit) => {
    // An import would read all that the module exports, `WebSocket` too, and so load that `fetch`.
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'https' : 'http')
    const { method, signal, body } = init
    const headers = init.headers as Record<string, string>
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request(url, { method, headers, ...(signal && { signal }) }, resolve)
    sent.on('error', reject)
    sent.end(body)
    return answerOf(await promise)
  }) as unknown as typeof fetch
}

function answerOf(message: IncomingMessage) {
  const chunks = message[Symbol.asyncIterator]()
  const get = (name: string) => {
    const value = message.headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }
  return {
    status: message.statusCode,
    headers: { get, has: (name: string) => get(name) !== null },
    body: {
      [Symbol.asyncIterator]: () => chunks,
      getReader: () => ({
        read: () => chunks.next(),
        cancel: async () => void message.destroy(),
      }),
    },
  }
}
