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
const idleMaxMs = 10_000
/** Node's parser admits any three digits (RFC 9110, section 15). */
const statusMin = 100
const errorLengthMax = 500

const version = versionOf()

/** Sends requests over connections that are kept, each to an address that `targets` has checked. */
export function createSender(targets: ReturnType<typeof createTargets>, maxMs = attemptMaxMs) {
  // As src/http/protocol/node-http.ts says.
  const http = process.getBuiltinModule('node:http')
  const https = process.getBuiltinModule('node:https')
  const kept = { keepAlive: true, timeout: idleMaxMs }
  const agents = {
    'http:': new http.Agent(kept),
    'https:': new https.Agent(kept),
  }

  const late = `There was no response within ${maxMs / 1_000} s.`
  const inProgress = new Set<Ending>()
  let isClosed = false

  /** One exchange, which `ending` ends. Rejects where there is no response. */
  function exchange(
    { url, headers, body }: Sent,
    ending: Ending,
    agent?: false,
  ): Promise<Response> {
    const parsed = targets.parse(url)
    const { protocol } = parsed as { protocol: keyof typeof agents }
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = (protocol === 'http:' ? http : https).request(parsed, {
      agent: agent ?? agents[protocol],
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
    ending.request = request
    request.once('response', (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= statusMin) return resolve(readStart(response))
      request.destroy(new Error(`The response is not valid HTTP: its status is ${statusCode}.`))
    })
    request.on('error', (error) => {
      const isStale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      reject(isStale && !ending.cause ? new StaleConnection() : error)
    })
    // Also where neither comes, as after a 101.
    request.once('close', () => reject(new Error('The connection was closed before a response.')))
    request.end(body)
    return promise
  }

  function end(ending: Ending, cause: Error) {
    ending.cause = cause
    ending.request?.destroy(cause)
  }

  return {
    /** Makes one attempt. It never rejects, and ends within 15 s. */
    async send(sent: Sent): Promise<Outcome> {
      const startMs = performance.now()
      const ending: Ending = {}
      inProgress.add(ending)
      const timer = timers.setTimeout(() => end(ending, new Error(late)), maxMs)
      const durationMs = () => Math.round(performance.now() - startMs)
      try {
        const response = await exchange(sent, ending).catch((error) => {
          // The receiver has closed an idle connection just now, and maybe all; there is no response that could be lost.
          if (error instanceof StaleConnection) return exchange(sent, ending, false)
          throw error
        })
        return { durationMs: durationMs(), ...response }
      } catch (error) {
        if (isClosed) return { durationMs: durationMs(), isStopped: true }
        const failure = describeFailure(ending.cause ?? error)
        return { durationMs: durationMs(), error: failure.slice(0, errorLengthMax) }
      } finally {
        timers.clearTimeout(timer)
        inProgress.delete(ending)
      }
    },
    /** Ends the attempts in progress, and closes the connections. */
    close() {
      isClosed = true
      for (const ending of inProgress) end(ending, new Error('The service stops.'))
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** How an attempt in progress is ended, and why it was. */
type Ending = { request?: ClientRequest; cause?: Error }

class StaleConnection extends Error {}

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
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
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
