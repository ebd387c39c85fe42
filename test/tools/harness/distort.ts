import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../harness/listen.ts'

type Answer = { status: number; headers: Headers; body: string }

/** Makes a response wrong in place. */
export type Distortion = (answer: Answer, request: { method: string; path: string }) => void

type Distorted = { origin: string; [Symbol.asyncDispose](): Promise<void> }

/** A proxy in front of a service that passes its responses through `distort`. */
export async function startDistorted(origin: string, distort: Distortion): Promise<Distorted> {
  const server = createServer((request, response) => {
    pass(origin, distort, request, response).catch((error) => response.destroy(error))
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const ofOneHop = [
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'],
  ...['upgrade', 'http2-settings'],
]

async function pass(
  origin: string,
  distort: Distortion,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { method = 'GET', url: path = '/' } = request
  const body = await text(request)
  const headers = new Headers(request.headers as Record<string, string>)
  for (const name of ofOneHop) headers.delete(name)
  const received = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) })
  const { status } = received
  const answer = { status, headers: new Headers(received.headers), body: await received.text() }
  distort(answer, { method, path })
  // fetch has decompressed the body.
  for (const name of [...ofOneHop, 'content-encoding']) answer.headers.delete(name)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(answer.body)
}
