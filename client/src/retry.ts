import type { AnyOptions, Operation } from './operation.ts'

const delayMaxMs = 8_000
/** A timer that is set for longer fires at once. */
export const timerMaxMs = 2_147_483_647
/** A service that asks for a longer pause is not waited for. */
export const retryAfterMaxMs = 60_000

/** Answers of a service, or of what is in front of it, that a later attempt may not get. */
const passing = [408, 429, 502, 503, 504]
/** Answers that say that the request was not performed. */
const unperformed = [408, 429]
/** Errors of connections that were never made, as Node, Bun and Deno call them. */
const notConnected =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|client error \(Connect\)/

/** What became of an attempt that did not succeed. */
export type Failure = {
  status?: number
  code?: string | undefined
  cause?: unknown
  isTooLarge?: boolean | undefined
}

/** Whether a later attempt may succeed. */
export function isPassing({ status, code, isTooLarge }: Failure): boolean {
  if (isTooLarge) return false
  return status === undefined || passing.includes(status) || code === 'idempotency_key_in_use'
}

/** Whether the request may have had an effect. */
export function mayHaveHadEffect({ method }: Operation, { status, code, cause }: Failure): boolean {
  if (method === 'GET') return false
  if (status === undefined) return !isNotConnected(cause)
  return status >= 500 || code === 'idempotency_key_in_use'
}

function isNotConnected(error: unknown): boolean {
  const { code, cause, message } = (error ?? {}) as { [name: string]: unknown }
  return notConnected.test(`${code} ${message}`) || (cause !== undefined && isNotConnected(cause))
}

/**
 * Whether a request has one effect, however often it is performed. A change without `ifMatch` has not: sent again, it could
 * undo what others changed in between.
 */
export function isRepeatable({ method, isKeyed }: Operation, { ifMatch }: AnyOptions): boolean {
  return method === 'GET' || method === 'DELETE' || isKeyed === true || ifMatch !== undefined
}

/** Whether an answer says for certain that a request with an `Idempotency-Key` has had no effect in any attempt. */
export function excludesEffect({ isKeyed }: Operation, { status, code }: Failure): boolean {
  const isRefusal = status === 400 || status === 404 || status === 409
  return isKeyed === true && isRefusal && code !== undefined && code !== 'idempotency_key_in_use'
}

/** Whether the request is known not to have been performed. */
export function isUnperformed({ status, cause }: Failure): boolean {
  return status === undefined ? isNotConnected(cause) : unperformed.includes(status)
}

/** How long to wait before the next attempt, with jitter, so that clients that failed together do not return together. */
export function delayOf(retry: number, retryDelayMs: number, askedMs: number | undefined): number {
  const backOffMs = Math.min(delayMaxMs, retryDelayMs * 2 ** (retry - 1))
  if (askedMs === undefined) return backOffMs * (0.5 + Math.random() / 2)
  return askedMs + (backOffMs * Math.random()) / 2
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Resolves after some time; rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, timerMaxMs),
    )
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
