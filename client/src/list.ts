import type { Answer } from './call.ts'
import type { Scope } from './generated/scopes.ts'
import type { Input, Int64, ListOptions, Operation } from './operation.ts'
import type { Transport } from './transport.ts'

/** The most records of a page, which a walk asks for. */
const pageMax = 100

type Query = {
  limit?: number | undefined
  cursor?: string | undefined
  after?: Int64 | undefined
}
type ListInput = Input & { query: Query }

/**
 * A list that is not fetched yet. `for await` walks all of its records, page by page; awaited, it gives the first page.
 * Each walk fetches anew.
 */
export class List<T> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly #transport: Transport
  readonly #operation: Operation
  readonly #input: ListInput
  readonly #options: ListOptions

  constructor(transport: Transport, operation: Operation, input: ListInput, options: ListOptions) {
    this.#transport = transport
    this.#operation = operation
    this.#input = input
    this.#options = options
  }

  // biome-ignore lint/suspicious/noThenProperty: it can be awaited
  then<R = Page<T>, E = never>(
    onFulfilled?: ((page: Page<T>) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#fetch(this.#input.query).then(onFulfilled, onRejected)
  }

  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Page<T> | E> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally)
  }

  get [Symbol.toStringTag](): string {
    return 'List'
  }

  /** All pages. Where the query has no `limit`, of 100 records each. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | undefined = await this.#fetch({ limit: pageMax, ...this.#input.query })
    while (page) {
      yield page
      page = await page.next()
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  async #fetch(query: Query, { count, ...options }: ListOptions = this.#options): Promise<Page<T>> {
    const input = { ...this.#input, query }
    const call = this.#transport.call<T[]>(this.#operation, input, { ...options, count })
    const answer = await call.withResponse()
    return new Page(answer, (cursor) =>
      // The cursor names the position; `after` would name another.
      this.#fetch({ ...query, after: undefined, cursor }, options),
    )
  }
}

/** A page of a list. `for await` walks its records and those of all pages after it. */
export class Page<T> implements AsyncIterable<T> {
  readonly data: T[]
  readonly status: number
  readonly headers: Headers
  /** Where the query named exactly one id that exists, the version of its record. */
  readonly etag: string | undefined
  readonly requestId: string | undefined
  /** What the key may do, where the option `scopes` asked for it. */
  readonly scopes: readonly Scope[] | undefined
  /** How many records match, where `count` asked for it. */
  readonly total: number | undefined
  /** The `cursor` of the next page; `undefined` on the last one. */
  readonly nextCursor: string | undefined
  readonly #fetch: (cursor: string) => Promise<Page<T>>

  constructor(answer: Answer<T[]>, fetch: (cursor: string) => Promise<Page<T>>) {
    this.data = answer.data
    this.status = answer.status
    this.headers = answer.headers
    this.etag = answer.etag
    this.requestId = answer.requestId
    this.scopes = answer.scopes
    const total = answer.headers.get('x-total-count')
    this.total = total === null ? undefined : Number(total)
    this.nextCursor = nextCursorOf(answer.headers.get('link'))
    this.#fetch = fetch
  }

  /** The next page; `undefined` after the last one. */
  async next(): Promise<Page<T> | undefined> {
    return this.nextCursor === undefined ? undefined : this.#fetch(this.nextCursor)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> | undefined = this
    while (page) {
      yield* page.data
      page = await page.next()
    }
  }
}

/** Of the link the cursor alone is used: its address may be one that only the service knows, or another's. */
function nextCursorOf(link: string | null): string | undefined {
  const address = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (address === undefined) return undefined
  return new URLSearchParams(address.slice(address.indexOf('?') + 1)).get('cursor') ?? undefined
}
