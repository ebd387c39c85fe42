import type { ClientRequest, IncomingMessage } from 'node:http'
import { performance, timers } from '../../../timers.ts'
import { versionOf } from '../../../version.ts'
import type { DeliveryAttempt } from '../contract/deliveries.ts'
import type { createTargets } from './targets.ts'

/** What came of an attempt; it succeeded where the status is from 200 to 299. */
export type Outcome = Omit<DeliveryAttempt, 'attemptedAt'> & {
  retryAfter?: string
  /** The service was stopped meanwhile; the attempt counts as none. */
  isStopped?: true
}

type Sent = { url: string; headers: Record<string, string>; body: Buffer }

/** The time of an attempt, from the lookup of the name to the end of the response. */
const attemptMaxMs = 15_000
/** How much of a response is read, and kept. */
const readMaxBytes = 65_536
const keptMaxBytes = 1_024
/** Shorter than receivers keep connections: what is sent as they close one is lost. */
const idleMaxMs = 4_000
/** Node's parser admits any three digits (RFC 9110, section 15). */
const statusMin = 100
const errorLengthMax = 500

const version = versionOf()

/** Sends requests over connections that are kept, each to an address that `targets` has checked. */
export function createSender(targets: ReturnType<typeof createTargets>, maxMs = attemptMaxMs) {
  // As src/http/protocol/node-http.ts says.
  const http = process.getBuiltinModule('node:http')
  const https = process.getBuiltinModule('node:https')
  const kept = { keepAlive: true, timeout: idleMaxMs, autoSelectFamily: true }
  const agents = {
    'http:': new http.Agent(kept),
    'https:': new https.Agent(kept),
  }

  const late = `There was no response within ${maxMs / 1_000} s.`
  const inProgress = new Set<ClientRequest>()
  let isClosed = false

  /** Rejects where there is no response. */
  async function exchange({ url, headers, body }: Sent): Promise<Response> {
    const parsed = targets.parse(url)
    const { protocol } = parsed as { protocol: keyof typeof agents }
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = (protocol === 'http:' ? http : https).request(parsed, {
      agent: agents[protocol],
      lookup: targets.lookup[protocol],
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'accept-encoding': 'identity',
        'user-agent': `petstore/${version}`,
        ...headers,
      },
    })
    const timer = timers.setTimeout(() => request.destroy(new Error(late)), maxMs)
    inProgress.add(request)
    request.once('response', (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= statusMin) return resolve(readStart(response))
      request.destroy(new Error(`The response is not valid HTTP: its status is ${statusCode}.`))
    })
    request.on('error', reject)
    request.once('close', () => {
      timers.clearTimeout(timer)
      inProgress.delete(request)
      // As after a 101.
      reject(new Error('The connection was closed before a response.'))
    })
    request.end(body)
    return promise
  }

  return {
    /** Makes one attempt. It never rejects, and ends within 15 s. */
    async send(sent: Sent): Promise<Outcome> {
      const startMs = performance.now()
      const outcome = await exchange(sent).catch((error) => {
        if (isClosed) return { isStopped: true as const }
        return { error: describeFailure(error).slice(0, errorLengthMax) }
      })
      return { durationMs: Math.round(performance.now() - startMs), ...outcome }
    },
    /** Ends the attempts in progress, and closes the connections. */
    close() {
      isClosed = true
      for (const request of inProgress) request.destroy(new Error('The service stops.'))
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

type Response = Omit<Outcome, 'durationMs'>

/** Reads a response up to the limit, or as far as it comes: the status is known, and decides. */
function readStart(response: IncomingMessage): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    if (size < keptMaxBytes) chunks.push(chunk)
    size += chunk.length
    if (size >= readMaxBytes) response.destroy()
  })
  // One that is cut off.
  response.on('error', () => undefined)
  response.once('close', () => {
    const start = Buffer.concat(chunks).subarray(0, keptMaxBytes)
    const responseBody =
      size > 0 && new TextDecoder().decode(start, { stream: size > keptMaxBytes })
    const retryAfter = response.headers['retry-after']
    resolve({
      responseStatus: response.statusCode as number,
      ...(responseBody && { responseBody }),
      ...(retryAfter !== undefined && { retryAfter }),
    })
  })
  return promise
}

const words: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response.',
  EPIPE: 'The connection was closed before a response.',
}

/** One sentence for people. Of several addresses, the failure of the last is told. */
function describeFailure(error: unknown): string {
  const last = error instanceof AggregateError ? error.errors.at(-1) : error
  const { code = '', message, syscall } = last as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return `The response is not valid HTTP: ${message}.`
  // Node's text would name the addresses of both ends.
  if (syscall === 'connect') return words[code] ?? `The connection could not be made (${code}).`
  // What follows a semicolon is advice for developers.
  if (code.includes('CERT') || code.startsWith('UNABLE_TO_'))
    return `The certificate of the receiver is not valid: ${message.split(';')[0]}.`
  return words[code] ?? message
}
