import type { Scope } from './generated/scopes.ts'

/** What the service answered. */
export type Answer<T> = {
  data: T
  status: number
  headers: Headers
  /** The version of the record, for `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined
  /** Names the request in the log of the service. */
  requestId: string | undefined
  /** What the key may do, where the option `scopes` asked for it. */
  scopes: readonly Scope[] | undefined
  /** Whether this repeats the answer to an earlier request with the same `Idempotency-Key`. */
  isReplayed: boolean
  /** The `Idempotency-Key` that was sent. */
  idempotencyKey: string | undefined
  /** How often the request was sent. */
  attempts: number
}

/** A request under way. Awaited, it gives the record; `withResponse` gives status and headers too. */
export class Call<T> implements Promise<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  catch<E = never>(onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }

  get [Symbol.toStringTag](): string {
    return 'Call'
  }
}
