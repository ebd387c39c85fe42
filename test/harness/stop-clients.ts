import { Agent, type IncomingMessage, request } from 'node:http'
import type { Service } from '../processes/process.ts'

/** The number of requests by status or error message. */
type Outcomes = Record<string, number>

type Options = {
  count: number
  /** The pause between two requests. */
  pauseMaxMs: number
}

/**
 * Clients that request pets, one request after the other, each on a connection that it keeps. `running` resolves once
 * each has had a response, `stopped` once each has ended.
 */
export function keepAsking(service: Service, { count, pauseMaxMs }: Options) {
  const outcomes: Outcomes = {}

  async function runClient(onAnswer: () => void) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (true) {
      const { outcome, isLast } = await ask(agent, service)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      onAnswer()
      if (isLast) break
      await new Promise((next) => setTimeout(next, Math.random() * pauseMaxMs))
    }
    agent.destroy()
  }

  const clients = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { answered: promise, ended: runClient(resolve) }
  })
  return {
    outcomes,
    running: Promise.all(clients.map(({ answered }) => answered)),
    stopped: Promise.all(clients.map(({ ended }) => ended)),
  }
}

function ask(agent: Agent, { baseUrl, key }: Service) {
  const { promise, resolve } = Promise.withResolvers<{ outcome: string; isLast: boolean }>()
  const fail = ({ message }: Error) => resolve({ outcome: message, isLast: true })
  const headers = { authorization: `Bearer ${key}` }
  const sent = request(`${baseUrl}/pets`, { agent, headers }).once('error', fail)
  sent.once('response', (response: IncomingMessage) => {
    const isLast = response.headers.connection === 'close'
    response.once('error', fail).resume()
    response.once('end', () => resolve({ outcome: String(response.statusCode), isLast }))
  })
  sent.end()
  return promise
}
