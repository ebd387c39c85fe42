import type Type from 'typebox'
import type { Context } from '../context.ts'
import type { JsonText, ListRequest, Page } from '../db/page.ts'
import type { ErrorCode } from '../errors.ts'
import type { Scope } from '../keys/scopes.ts'

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
  tag: string
  summary: string
  description: string
  scope: Scope
  lifecycle: Lifecycle
  /** Lists take `limit`, `cursor`, `after`, `sort` and `Prefer: count=exact` beside what stands here. */
  query?: Query
  /** Name of the filter that, given exactly once, makes a list answer with the ETag of its one record. */
  tagFilter?: string
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
  isTagged?: true
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

/** What a verb is given: parsed, checked, typed. */
type Input<O extends Operation> = ListRequest<
  O extends Operation<infer Query> ? Type.Static<Query> : never
> & {
  id: bigint
  body: O extends Operation<Type.TObject, infer Body> ? Type.Static<Body> : never
  /** Where the caller makes it a condition: whether a record is the one that it knows. */
  isExpected: ((record: ItemOf<O> | JsonText) => boolean) | undefined
}

type ItemOf<O extends Operation> =
  O extends Operation<Type.TObject, Type.TSchema, infer Item> ? Type.Static<Item> : never

type Answer<O extends Operation> = O['answers'] extends 'page'
  ? Page<ItemOf<O> | JsonText>
  : O['answers'] extends 'nothing'
    ? undefined
    : O['answers'] extends 'record'
      ? ItemOf<O> | JsonText
      : ItemOf<O>

/** An operation together with the verb that performs it. */
export type BoundOperation = {
  operation: Operation
  perform(context: Context, input: Input<Operation>): Promise<unknown>
}

/** Keeps an operation's exact type, so that its verb is checked against it. */
export function defineOperation<
  const Answers extends Operation['answers'],
  Query extends Type.TObject,
  Body extends Type.TSchema,
  Item extends Type.TSchema,
>(
  operation: Operation<Query, Body, Item> & { answers: Answers },
): Operation<Query, Body, Item> & { answers: Answers } {
  return operation
}

/** Pairs an operation with its verb. */
export function bind<O extends Operation>(
  operation: O,
  perform: (context: Context, input: Input<O>) => Promise<Answer<O>>,
): BoundOperation {
  return { operation, perform: perform as BoundOperation['perform'] }
}
