import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../harness/until.ts'
import { requireEvents } from '../events.ts'
import { listAll, noteResponse, readerOf, request, startCreate } from './clients.ts'
import { type Create, type History, requirePassed, type SeenPet } from './history.ts'

/** Where a service listens, which may end at any moment, and a key that it knows. */
type Target = { baseUrl: string; key: string }

type LoadOptions = { connections: number; signal: AbortSignal }

/** Sends creates, one at a time on each connection, until the signal; records their outcomes. */
export async function sendCreates(
  target: Target,
  history: History,
  { connections, signal }: LoadOptions,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const sendUntilAborted = async () => {
    while (!signal.aborted) {
      const { outcome } = await sendCreate(target, history, { agent, signal })
      // A pause when the service is down or cannot write, so that clients do not spin.
      if (outcome !== 'acknowledged') await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendUntilAborted))
  agent.destroy()
}

/** Sends creates on 16 connections for a time, and until one is acknowledged; then ends the service, and resolves with the load. */
export async function endUnderCreates<T>(
  target: Target,
  history: History,
  { afterMs, end }: { afterMs: number; end(): Promise<T> },
): Promise<T> {
  const stopping = new AbortController()
  const load = sendCreates(target, history, { connections: 16, signal: stopping.signal })
  await sleep(afterMs)
  await firstAcknowledgement(history)
  const ended = await end()
  stopping.abort()
  await load
  return ended
}

/** Waits, for 30 s at most, until any create has been acknowledged. */
export async function firstAcknowledgement(history: History): Promise<void> {
  await until(() => history.count('acknowledged') > 0, 30_000)
}

/** Sends one create and records its outcome, which is unknown after a 503, and where the connection breaks. */
export async function sendCreate(
  { baseUrl, key }: Target,
  history: History,
  options: { agent?: http.Agent; signal?: AbortSignal } = {},
): Promise<Create> {
  const { noted, ...call } = startCreate(history, 0)
  const answer: { status?: number; text?: string } = await request(`${baseUrl}/pets`, {
    ...{ ...options, ...call, key },
  }).catch(({ status }) => ({ status }))
  noted.endMs = performance.now()
  if (answer.status === undefined) return noted
  noted.status = answer.status
  if (answer.status === 201) noted.outcome = 'acknowledged'
  else if (answer.status < 500) noted.outcome = 'refused'
  // The body of a 201 may have been cut off.
  if (answer.status === 201 && answer.text !== undefined) noteResponse(history, noted, answer.text)
  return noted
}

/** Reads all pages and events, and throws, naming the violations, unless they are what the history requires. */
export async function checkStore(target: Target, history: History): Promise<SeenPet[]> {
  const store = { baseUrls: [target.baseUrl], key: target.key, history }
  const last = await listAll(store, 0)
  requirePassed(history.check(last, { services: 0 }))
  await requireEvents(readerOf(store, 0), history.log, history.asked())
  history.forget()
  return last
}
