import type { RouteOptions as Route } from 'fastify'
import type { Actor, FileContext, RequestContext, StreamContext } from '../context/context.ts'
import type { FileContent, ReceivedBytes, StreamContent } from '../contract/content.ts'
import type { Alternative, Operation, OwnMember, PathParameter } from '../contract/operation.ts'
import type * as Type from '../contract/type.ts'
import type { AnyPage, JsonText, ListRequest, Page } from '../db/lists/page.ts'
import type { PageRequest } from '../db/lists/select-page.ts'
import type { Compressible } from './response/compressible.ts'
import { compileRoutes, type RouteKit, type Verbs } from './route.ts'

type ItemOf<O extends Operation> = Type.Static<O['item']>

type QueryOf<O extends Operation> = O extends { query: infer Query extends Type.TObject }
  ? Type.Static<Query>
  : Record<never, never>

/**
 * What a verb receives, parsed and checked. For a page, its request. Otherwise the id, the body or the query alone if its
 * operation declares only that, else an object of all that it declares.
 */
type Input<O extends Operation> = O['returns'] extends 'page'
  ? ListRequest<QueryOf<O>, PageOf<O>> & PathOf<O> & HeadersOf<O>
  : OnlyOf<Parts<O>>

/** A list whose query has an order of its own is also sorted by names. */
type PageOf<O extends Operation> = 'sort' extends keyof QueryOf<O> ? AnyPage : PageRequest

type OnlyOf<P> = [keyof P] extends [never]
  ? undefined
  : [keyof P] extends ['id']
    ? P['id' & keyof P]
    : [keyof P] extends ['body']
      ? P['body' & keyof P]
      : [keyof P] extends ['query']
        ? P['query' & keyof P]
        : P

type Parts<O extends Operation> = PathOf<O> &
  (O extends { body: object } ? { body: BodyOf<O> } : unknown) &
  (O extends { query: object } ? { query: QueryOf<O> } : unknown) &
  HeadersOf<O> &
  (O extends { condition: 'If-Match' } ? { ifMatch: string | undefined } : unknown) &
  (O extends { returns: 'replaced' } ? { ifNoneMatch: string | undefined } : unknown) &
  (O extends ChosenByAccept ? { mediaType: O['mediaTypes'][number] } : unknown)

type HeadersOf<O extends Operation> = O extends { headers: infer Headers extends Type.TObject }
  ? { headers: Type.Static<Headers> }
  : unknown

/** The last parameter of the path as `id`, those before it by their names. */
type PathOf<O extends Operation> = O extends {
  pathParameters: readonly [
    ...infer Parents extends readonly PathParameter[],
    infer Own extends PathParameter,
  ]
}
  ? { id: IdOf<Own> } & { [Parent in Parents[number] as Parent['name']]: IdOf<Parent> }
  : unknown

type IdOf<P extends PathParameter> = P extends { type: 'text' } ? string : bigint

type BodyOf<O extends Operation> = O extends {
  body: { mediaTypes: readonly string[]; schema: infer Schema extends Type.TSchema }
}
  ? Type.Static<Schema>
  : O extends { body: { mediaTypes: readonly string[] } }
    ? ReceivedBytes
    : O extends { body: infer Schema extends Type.TSchema }
      ? Type.Static<Schema>
      : never

type ChosenByAccept = {
  returns: 'file'
  mediaTypes: readonly [string, string, ...(readonly string[])]
  isUploaded?: never
}

/** `tag` replaces the entity tag of the record; undefined, the response has none. */
type Replaced<Item> = { record: Item; isNew: boolean; tag?: string | undefined }

type Results<O extends Operation> = {
  page: Page<ItemOf<O> | JsonText>
  record: ItemOf<O> | JsonText
  created: ItemOf<O>
  replaced: Replaced<ItemOf<O>>
  value: ItemOf<O>
  nothing: unknown
  file: FileContent | Compressible
  stream: StreamContent
}

type VerbContext<O extends Operation> = O['scope'] extends 'public'
  ? RequestContext<undefined>
  : O['returns'] extends 'stream'
    ? StreamContext
    : O['returns'] extends 'file'
      ? FileContext
      : RequestContext<Actor>

type Verb<O extends Operation> = (
  context: VerbContext<O>,
  input: Input<O>,
) => Promise<Results<O>[O['returns']]>

/** The verb of the alternative, of an operation that has one. */
type AlternativeVerb<O extends Operation> = O extends { alternative: infer A extends Alternative }
  ? Omit<O, keyof A | OwnMember> & A extends infer Other extends Operation
    ? [Verb<Other>]
    : never
  : []

/** An operation that can be served, and the scope that it needs. */
export type Implementation<S extends Operation['scope'] = Operation['scope']> = {
  operation: Operation & { scope: S }
  compile(kit: RouteKit): Route[]
}

/** Pairs an operation with its verb, and its alternative with that verb. */
export function implement<const O extends Operation>(
  operation: O,
  ...verbs: [Verb<O>, ...AlternativeVerb<O>]
): Implementation<O['scope']> {
  return {
    operation,
    // The only cast: the route has parsed and checked what the operation declares.
    compile: (kit) => compileRoutes(operation, verbs as unknown as Verbs, kit),
  }
}
