// Run: npm install standardwebhooks, then SECRET=whsec_… PORT=3000 node receiver.mjs
// JSON.parse rounds ids beyond 2^53: see the guide on int64.
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SECRET)
const handled = new Set()

async function receive(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  try {
    // Checks the signatures and the timestamp.
    webhook.verify(body, request.headers)
  } catch {
    return 401
  }
  const id = request.headers['webhook-id']
  if (!handled.has(id)) {
    console.log('Handled', JSON.parse(body).type)
    handled.add(id)
  }
  return 204
}

createServer(async (request, response) => {
  const status = await receive(request).catch(() => 500)
  response.writeHead(status).end()
}).listen(process.env.PORT, '127.0.0.1', () => console.log('Listening'))
