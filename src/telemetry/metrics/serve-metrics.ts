import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../http/protocol/node-http.ts'

const path = '/metrics'
/** A client that sends or reads nothing for so long is disconnected. */
const silentMaxMs = 10_000
const connectionsMax = 32
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes metrics in Prometheus's text format. */
export type Exposition = { write(): Promise<string> }

/** Serves metrics on an address of their own, to whoever can reach it. Rejects as `listen` of Node does. */
export async function serveMetrics(
  { write }: Exposition,
  { host, port }: { host: string; port: number },
  onFailure: (error: unknown) => void,
): Promise<{ url: string; close(): void }> {
  let scrape: Promise<string> | undefined

  async function respond({ method, url = '' }: IncomingMessage, response: ServerResponse) {
    function end(status: number, text: string, headers = {}): void {
      const own = {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      }
      response.writeHead(status, { ...own, ...headers }).end(text)
    }
    if (url.split('?', 1)[0] !== path) return end(404, `Metrics are at ${path}.\n`)
    if (method !== 'GET' && method !== 'HEAD')
      return end(405, 'Metrics are read with GET.\n', { allow: 'GET, HEAD' })
    try {
      // Scrapes that arrive during one share it.
      scrape ??= write().finally(() => {
        scrape = undefined
      })
      end(200, await scrape, { 'content-type': contentType })
    } catch (error) {
      onFailure(error)
      end(500, 'The metrics cannot be read.\n')
    }
  }

  const server = createServer({ connectionsCheckingInterval: 1_000 }, respond)
  server.setTimeout(silentMaxMs)
  server.requestTimeout = silentMaxMs
  server.maxConnections = connectionsMax
  server.listen(port, host)
  await once(server, 'listening')
  server.unref()
  const bound = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${bound.port}${path}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
