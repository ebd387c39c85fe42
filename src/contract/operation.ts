import type Type from 'typebox'
import type { ErrorCode } from './error-codes.ts'
import type { Scope } from './scopes.ts'
import type { Tag } from './tags.ts'

/** Where an operation stands in its life (interface 1.0.0, section 9). One datum feeds headers, document and behaviour. */
export type Lifecycle = {
  stability?: 'experimental' | 'beta'
  /** False where the interactive test panel of the reference is disabled (interface 1.0.0, section 4.4). */
  tryItPanel?: false
  deprecation?: {
    /** ISO 8601 instants. From `removedAt` on the operation answers 410. */
    deprecatedAt: string
    removedAt: string
    /** A path relative to the base address, for `rel="successor-version"`. */
    successorPath: string
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
  /** Relative to the base address; every parameter in it is the id of a record. */
  path: string
  tag: Tag
  summary: string
  description: string
  scope: Scope
  lifecycle: Lifecycle
  /** Lists take `limit`, `cursor`, `after`, `sort` and `Prefer: count=exact` beside what stands here. */
  query?: Query
  /** Name of the filter that, given exactly once, makes a list answer with the ETag of its one record. */
  entityTagFilter?: string
  /** `record` is what the id names, in a sentence. */
  pathParameter?: { name: string; record: string; description: string; example: number }
  body?: Body
  /** `page`: 200 and an array. `record`: 200. `created`: 201 and `Location`. `nothing`: 204. */
  answers: 'page' | 'record' | 'created' | 'nothing'
  /** The record that the operation is about, whether it is answered or not. */
  item: Item
  /** Of a list: the array of items that a page is. */
  list?: Type.TSchema
  /** Whether answers carry the record's ETag, and conditions on it are honoured (RFC 9110, section 13). */
  hasEntityTag?: true
  /**
   * Whether it takes an `Idempotency-Key`, and what a repeated request gets: the first answer again, or, where that
   * holds a secret, the refusal `idempotency_key_reused`.
   */
  idempotency?: 'replayed' | 'withheld'
  /** Codes beside those that every operation of its shape can answer with. */
  errors: readonly ErrorCode[]
  /** What a store that `--seed 100` has filled answers to the example request, under the name of the example. */
  examples: {
    name: string
    summary: string
    query?: Record<string, unknown>
    body?: unknown
    answer?: unknown
  }
  /** What to do next with the record that was answered. */
  links?: readonly OperationLink[]
}

/** Another operation, and what it takes from the answer: its parameters and its body. */
export type OperationLink = {
  operationId: string
  description: string
  parameters?: Record<string, string>
  body?: Record<string, unknown>
}

/** The member `id` of the answer, as a link names it. */
export const answeredId = '$response.body#/id'

/** Keeps an operation's exact type: which parameters it has, and what it returns. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}
