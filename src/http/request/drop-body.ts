import type { IncomingMessage } from 'node:http'

/**
 * Reads and drops the body of a request that is refused for its size. Resolves at its end, or where it is longer than that: many
 * clients read no response before they have sent all, and would find the connection reset.
 */
export async function dropBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  if (
    request.readableEnded ||
    request.destroyed ||
    Number(request.headers['content-length']) > maxBytes
  )
    return
  const { promise, resolve } = Promise.withResolvers<void>()
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) resolve()
  }
  request.on('data', count).once('end', resolve).once('close', resolve).once('error', resolve)
  request.resume()
  await promise
  request.off('data', count)
}
