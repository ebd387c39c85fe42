import { once } from 'node:events'
import http from 'node:http'
import { listen } from '../harness/listen.ts'

/**
 * What happens to one request between client and service: `cut before` the service sees it, `cut after` it was performed,
 * `truncate` the answer, `refuse` it with 503 unseen, `disown` it with 503 once performed, `hold` the answer until the
 * client gives up, `drip` it byte by byte.
 */
export type Fault = (typeof faults)[number]
export const faults = [
  'cut before',
  'cut after',
  'truncate',
  'refuse',
  'disown',
  'hold',
  'drip',
] as const

type SeenRequest = { method: string; path: string; headers: http.IncomingHttpHeaders }

export type HttpFaultProxy = {
  /** As the service's own, ending in /v1. */
  baseUrl: string
  /** Decides on each request, from now on; passes all where it is absent. */
  decide: ((request: SeenRequest) => Fault | undefined) | undefined
  /** The `Retry-After` of 503; none where it is empty. */
  retryAfter: string
  readonly seen: SeenRequest[]
  close(): Promise<void>
}

/** Listens on 127.0.0.1 and passes requests on to the service at a base address. */
export async function startHttpFaults(serviceBaseUrl: string): Promise<HttpFaultProxy> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const listener = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const seenRequest = { method, path: url, headers }
    proxy.seen.push(seenRequest)
    const fault = proxy.decide?.(seenRequest)
    response.on('error', () => undefined)
    const body = await bytesOf(request).catch(() => undefined)
    if (!body) return
    if (fault === 'cut before') return void request.socket.destroy()
    if (fault === 'refuse') return unavailable(response)
    const answer = await forward(request, body).catch(() => undefined)
    if (!answer) return void request.socket.destroy()
    if (fault === 'cut after') return void request.socket.destroy()
    if (fault === 'disown') return unavailable(response)
    if (fault === 'hold') return
    response.writeHead(answer.status, answer.headers)
    if (fault === 'truncate') {
      response.write(answer.bytes.subarray(0, answer.bytes.length / 2))
      return void setImmediate(() => request.socket.destroy())
    }
    if (fault === 'drip') for (const byte of answer.bytes) response.write(Buffer.of(byte))
    response.end(fault === 'drip' ? undefined : answer.bytes)
  })

  function unavailable(response: http.ServerResponse) {
    const headers = proxy.retryAfter === '' ? {} : { 'retry-after': proxy.retryAfter }
    response.writeHead(503, { 'content-type': 'text/plain', ...headers })
    response.end('no healthy upstream')
  }

  async function forward({ method, url, headers }: http.IncomingMessage, body: Buffer) {
    const target = new URL(serviceBaseUrl)
    const passed = http.request({
      agent,
      host: target.hostname,
      port: target.port,
      method,
      path: url,
      headers,
    })
    passed.end(body)
    const [answer] = (await once(passed, 'response')) as [http.IncomingMessage]
    const { 'transfer-encoding': _coding, connection: _connection, ...kept } = answer.headers
    return { status: answer.statusCode ?? 0, headers: kept, bytes: await bytesOf(answer) }
  }

  const port = await listen(listener)
  const proxy: HttpFaultProxy = {
    baseUrl: `http://127.0.0.1:${port}${new URL(serviceBaseUrl).pathname}`,
    decide: undefined,
    retryAfter: '',
    seen: [],
    async close() {
      agent.destroy()
      listener.closeAllConnections()
      listener.close()
      await once(listener, 'close')
    },
  }
  return proxy
}

async function bytesOf(message: http.IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray())
}
