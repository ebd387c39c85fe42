import type { ErrorCode } from './error-codes.ts'
import type { Tag } from './tags.ts'
import type * as Type from './type.ts'

/** What a key may do with a kind of record, such as `pets:read`. Features declare them. */
export type Scope = `${string}:${string}`

/** The lifecycle of an operation (interface 1.0.0, section 9): the source of headers, document and behaviour. */
export type Lifecycle = {
  /**
   * What `docs/guides/stability.md` promises. An operation that the interface describes has no mark, and is stable.
   */
  stability?: 'beta' | 'stable'
  /** Whether the reference's interactive test panel is enabled (interface 1.0.0, section 4.4). */
  tryItPanel?: false
  deprecation?: {
    /** ISO 8601 instants. From `removedAt` on, the operation responds 410. */
    deprecatedAt: string
    removedAt: string
    /**
     * Where `rel="successor-version"` leads: a path relative to the base address, and its query parameter that takes
     * the id of the path.
     */
    successor: { path: string; idParameter: string }
    advice: string
  }
}

export type Operation<
  Query extends Type.TObject = Type.TObject,
  Body extends Type.TSchema = Type.TSchema,
  Item extends Type.TSchema = Type.TSchema,
> = {
  operationId: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address; every parameter is the id of a record. */
  path: string
  tag: Tag
  summary: string
  description: string
  scope: Scope
  lifecycle: Lifecycle
  /** Lists also take `limit`, `cursor`, `after`, `sort` and `Prefer: count=exact`. */
  query?: Query
  /** A list whose query has exactly one value of this filter responds with the ETag of that record. */
  entityTagFilter?: string
  /** `record` is the noun for messages. */
  pathParameter?: { name: string; record: string; description: string; example: number }
  body?: Body
  /** `page`: 200 and an array. `record`: 200. `created`: 201 and `Location`. `nothing`: 204. */
  returns: 'page' | 'record' | 'created' | 'nothing'
  /** The schema of the operation's record, also where the response does not contain it. */
  item: Item
  /** Of a list: the schema of a page, an array of items. */
  list?: Type.TSchema
  /** Whether responses carry the record's ETag and conditions on it apply (RFC 9110, section 13). */
  hasEntityTag?: true
  /**
   * Whether it takes an `Idempotency-Key`, and what a repetition gets: the first response again or, where that holds a
   * secret, `idempotency_key_reused`.
   */
  idempotency?: 'replayed' | 'withheld'
  /** Error codes besides those of every operation of its kind. */
  errors: readonly ErrorCode[]
  /** The example request, and its response by a store with `--seed 100`. */
  examples: {
    name: string
    summary: string
    query?: Record<string, unknown>
    body?: unknown
    response?: unknown
  }
  /** Links from the returned record to other operations. */
  links?: readonly OperationLink[]
}

/** Another operation, with the parameters and the body that it takes from the response. */
export type OperationLink = {
  operationId: string
  description: string
  parameters?: Record<string, string>
  body?: Record<string, unknown>
}

/** The member `id` of the response, as a link expression. */
export const returnedId = '$response.body#/id'

/** Keeps an operation's exact type: its parameters and its result. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}
