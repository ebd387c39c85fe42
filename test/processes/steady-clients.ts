import { Agent, type IncomingMessage, request } from 'node:http'

type Target = { baseUrl: string; key: string }

const createEvery = 4
const body = '{"name":"Rex","categoryId":7,"status":"available"}'

/**
 * Clients that send one request after the other until they are stopped: reads, creates with an `Idempotency-Key`, and
 * readiness. Every second client keeps its connection, the others open one for each request. None repeats a request.
 */
export function startSteadyClients(
  target: Target,
  { count, pauseMaxMs }: { count: number; pauseMaxMs: number },
) {
  /** The number of requests by method and status, or error. */
  const outcomes: Record<string, number> = {}
  let isStopped = false

  async function runClient(client: number) {
    const agent = new Agent({ keepAlive: client % 2 === 0, maxSockets: 1 })
    for (let number = 0; !isStopped; number++) {
      const outcome = await sendOne(target, agent, client, number)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await new Promise((next) => setTimeout(next, Math.random() * pauseMaxMs))
    }
    agent.destroy()
  }

  const ended = Promise.all(Array.from({ length: count }, (_, client) => runClient(client)))
  return {
    outcomes,
    /** Resolves once each client has sent its last request and has its response. */
    async stop() {
      isStopped = true
      await ended
      return outcomes
    },
  }
}

function sendOne({ baseUrl, key }: Target, agent: Agent, client: number, number: number) {
  const isCreate = number % createEvery === 0
  const isProbe = number % createEvery === 1
  const url = isProbe ? baseUrl.replace(/\/v1$/, '/health/ready') : `${baseUrl}/pets`
  const method = isCreate ? 'POST' : 'GET'
  const headers = {
    authorization: `Bearer ${key}`,
    ...(isCreate
      ? { 'content-type': 'application/json', 'idempotency-key': `${client}-${number}` }
      : {}),
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  const fail = (error: NodeJS.ErrnoException) => resolve(`${method} ${error.code ?? error.message}`)
  const sent = request(url, { agent, method, headers }).once('error', fail)
  sent.once('response', (response: IncomingMessage) => {
    response.once('error', fail).resume()
    response.once('end', () => resolve(`${method} ${response.statusCode}`))
  })
  sent.end(isCreate ? body : undefined)
  return promise
}
