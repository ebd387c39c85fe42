import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { listen } from './listen.ts'

/** `target`: the method and the path, `POST /hook`. */
export type Received = { target: string; headers: IncomingHttpHeaders; text: string; atMs: number }

type Response = { status: number; headers?: Record<string, string>; body?: string }

/** A receiver of webhooks on this machine, which responds 204 unless the test says otherwise. */
export async function aReceiver(
  t: Pick<TestContext, 'after'>,
  respond: (received: Received, response: ServerResponse) => Response | 'never' = () => ({
    status: 204,
  }),
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { headers } = request
    const target = `${request.method} ${request.url}`
    const one = { target, headers, text, atMs: performance.now() }
    received.push(one)
    const sent = respond(one, response)
    if (sent !== 'never') response.writeHead(sent.status, sent.headers).end(sent.body)
  })
  const port = await listen(server)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    url: `${origin}/hook`,
    received,
    /** The events that arrived, in order. */
    events: () => received.map(({ text }) => JSON.parse(text) as { id: number; type: string }),
  }
}

/** The ids of the messages, each once; fails where one has arrived under another id than that of its event. */
export function idsOf(received: readonly Received[]): number[] {
  const ids = received.map(({ headers, text }) => {
    const { id } = JSON.parse(text)
    assert.equal(headers['webhook-id'], String(id))
    return id as number
  })
  return [...new Set(ids)]
}
