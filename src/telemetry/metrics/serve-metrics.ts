import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../http/protocol/node-http.ts'

const path = '/metrics'
/** A client that sends or reads nothing for so long is disconnected. */
const silentMaxMs = 10_000
const connectionsMax = 32

/** What is served at a scrape. */
export type Exposition = { contentType: string; write(): Promise<string> }

/** Serves metrics on an address of their own, to whoever can reach it. Rejects as `listen` of Node does. */
export async function serveMetrics(
  { contentType, write }: Exposition,
  { host, port }: { host: string; port: number },
  onFailure: (error: unknown) => void,
): Promise<{ url: string; close(): void }> {
  let scrape: Promise<string> | undefined
  const share = () => {
    // Scrapes that arrive during one share it.
    scrape ??= write().finally(() => {
      scrape = undefined
    })
    return scrape
  }

  async function respond({ method, url = '' }: IncomingMessage, response: ServerResponse) {
    if (url.split('?', 1)[0] !== path) return end(response, 404, `Metrics are at ${path}.\n`)
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return end(response, 405, 'Metrics are read with GET.\n')
    }
    try {
      const text = await share()
      response.setHeader('content-type', contentType)
      end(response, 200, text)
    } catch (error) {
      onFailure(error)
      end(response, 500, 'The metrics cannot be read.\n')
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

function end(response: ServerResponse, status: number, text: string) {
  response.statusCode = status
  if (!response.hasHeader('content-type'))
    response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(text)
}
