import { type Answer, Call } from './call.ts'
import { warnOfDeprecation } from './deprecation.ts'
import type { FailedRequest } from './errors.ts'
import { errorOf, failureOf } from './failures.ts'
import { type FollowOptions, follow } from './follow.ts'
import type { AnyOptions, Input, Operation } from './operation.ts'
import {
  type Lost,
  type Reply,
  readBlob,
  readText,
  readValue,
  scopesIn,
  TooLarge,
} from './reply.ts'
import { type Prepared, prepare } from './request.ts'
import {
  delayOf,
  excludesEffect,
  isPassing,
  isRepeatable,
  isUnperformed,
  mayHaveHadEffect,
  retryAfterMaxMs,
  retryAfterOf,
  sleep,
  timerMaxMs,
} from './retry.ts'
import type { Settings } from './settings.ts'

/** Sends requests, again where that is safe and may help. */
export class Transport {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  call<T>(operation: Operation, input: Input, options: AnyOptions): Call<T> {
    return new Call(this.#send<T>(operation, input, options))
  }

  /** The events of a stream, without end. */
  follow<T>(operation: Operation, options: FollowOptions): AsyncGenerator<T, never, undefined> {
    return follow(this.#settings, operation, options)
  }

  async #send<T>(operation: Operation, input: Input, options: AnyOptions): Promise<Answer<T>> {
    const settings = this.#settings
    const request = await prepare(settings, operation, input, options)
    const maxRetries = options.maxRetries ?? settings.maxRetries
    const known = {
      operation: operation.id,
      attempts: 0,
      idempotencyKey: request.idempotencyKey,
      isOutcomeUnknown: false,
    }

    for (;;) {
      options.signal?.throwIfAborted()
      known.attempts += 1
      const reply = await this.#attempt(operation, request, {
        signal: options.signal,
        timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      })
      if (reply.status !== undefined) warnOfDeprecation(operation, reply.headers, settings.warn)
      const value = reply.status === undefined ? reply : readValue<T>(operation, reply)
      // It is gone, as an attempt without an answer may have seen to. What is cancelled would still be there.
      const isDeleted =
        operation.id.startsWith('delete') && known.isOutcomeUnknown && reply.status === 404
      if ('data' in value || isDeleted) {
        const data = 'data' in value ? value.data : (undefined as T)
        return answerOf(data, reply as Reply, known)
      }

      const failure = failureOf(value)
      if (excludesEffect(operation, failure)) known.isOutcomeUnknown = false
      else if (mayHaveHadEffect(operation, failure)) known.isOutcomeUnknown = true
      const isSafe =
        isRepeatable(operation, options) || (isUnperformed(failure) && !known.isOutcomeUnknown)
      const askedMs = value.status === undefined ? undefined : retryAfterOf(value.headers)
      const isSoon = askedMs === undefined || askedMs <= retryAfterMaxMs
      const isWorthwhile = isPassing(failure) && known.attempts <= maxRetries && isSoon
      if (!isSafe || !isWorthwhile) throw errorOf(value, known)
      await sleep(delayOf(known.attempts, settings.retryDelayMs, askedMs), options.signal)
    }
  }

  /** One attempt. Rejects only where the client's signal aborts it. */
  async #attempt(
    { isFile, isBlob }: Operation,
    { url, method, headers, body }: Prepared,
    { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
  ): Promise<Reply | Lost> {
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    let isTimedOut = false
    let isArriving = false
    const timer = setTimeout(
      () => {
        isTimedOut = true
        controller.abort()
      },
      Math.min(timeoutMs, timerMaxMs),
    )
    try {
      const init = { method, headers, redirect: 'manual', signal: controller.signal } as const
      const response = await this.#settings.fetch(
        url,
        body === undefined ? init : { ...init, body },
      )
      const { status, headers: received } = response
      isArriving = isFile === true && status === 200
      if (isArriving) return { status, headers: received, text: '', file: response }
      if (isBlob && status === 200)
        return { status, headers: received, text: '', file: await readBlob(response) }
      return { status, headers: received, text: await readText(response) }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof TooLarge) return { cause, isTooLarge: true }
      return isTimedOut ? { cause, timeoutMs } : { cause }
    } finally {
      clearTimeout(timer)
      if (!isArriving) signal?.removeEventListener('abort', abort)
    }
  }
}

function answerOf<T>(data: T, { status, headers }: Reply, known: FailedRequest): Answer<T> {
  return {
    data,
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    scopes: scopesIn(headers),
    isReplayed: headers.has('idempotency-replayed'),
    idempotencyKey: known.idempotencyKey,
    attempts: known.attempts,
  }
}
