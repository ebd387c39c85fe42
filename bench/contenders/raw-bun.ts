import { sayReady } from './parts.ts'
import { loadRecording } from './replay.ts'

/** As raw-node.ts, on Bun. Bun writes the length itself. */
const { answers, created } = loadRecording()
const withoutLength = (headers: [string, string][]) =>
  headers.filter(([name]) => name !== 'content-length')
let count = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.method === 'POST') {
      count += 1
      const body = { id: count, ...((await request.json()) as object) }
      return new Response(JSON.stringify(body), {
        status: 201,
        headers: withoutLength(created.headers),
      })
    }
    const answer = answers.get(request.url.slice(request.url.indexOf('/', 7)))
    return answer
      ? new Response(answer.body, { headers: withoutLength(answer.headers) })
      : new Response(null, { status: 404 })
  },
})
sayReady(server.port ?? 0)
