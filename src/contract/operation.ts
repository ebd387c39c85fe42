import type { ErrorCode } from './error-codes.ts'
import type { ParameterHeader } from './request-headers.ts'
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

/** What every operation states: only inputs, and names for them, are optional. */
type Common<Query, Body, Item> = {
  operationId: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address. */
  path: string
  /** Whether pages of other origins may never call it, whatever the settings of CORS. */
  deniesCors?: true
  /** Its method of the client: `client.NAMESPACE.NAME(…)`. Absent, the client does not have it. */
  client?: `${string}.${string}`
  /** Its command, where the words are not those of `client`: `petstore inventory set`. */
  command?: `${string} ${string}`
  tag: Tag
  summary: string
  description: string
  lifecycle: Lifecycle
  /** Lists also take `limit`, `cursor`, `after`, `sort` and `Prefer: count=exact`. */
  query?: Query
  /** In the order of the path. The last identifies the record, those before it the records that it belongs to. */
  pathParameters?: readonly PathParameter[]
  /** Request headers that the verb reads, each optional. */
  headers?: Type.TObject<{ [Name in ParameterHeader]?: Type.TSchema }>
  /** The schema of JSON of at most 64 KiB; otherwise what the body may be. */
  body?: Body | BodyContent
  /** Whether unknown parameters and members are refused without `Prefer: handling=strict` too. */
  isStrict?: true
  /** The schema of the operation's record, also where the response does not contain it; of a value or a file, its own. */
  item: Item
  /** Error codes besides those of every operation of its kind. */
  errors: readonly ErrorCode[]
  /** The example request, and its response by a store with `--seed 100`. */
  examples: {
    name: string
    summary: string
    query?: Record<string, unknown>
    headers?: Record<string, string>
    body?: unknown
    response?: unknown
    /** Of a file of several media types, by type. */
    responses?: Readonly<Record<string, unknown>>
  }
  /** Links from the returned record to other operations. */
  links?: readonly OperationLink[]
}

/** What a key needs; a public operation takes no key and no `Prefer`. */
type Access = {
  key: { scope: Scope | 'anyKey' } & Repeatable
  public: {
    scope: 'public'
    /** Whether it is also served beside the base address, for programs that do not know the `/v1`. */
    isUnversioned?: true
    /** Whether monitors poll it: it is served beyond the maximum of connections, and has no line in the access log. */
    isProbe?: true
  }
}

/** The condition on the record's entity tag that a request may have (RFC 9110, section 13). */
type Conditional<Condition> = { condition?: Condition }

type Repeatable = {
  /**
   * Whether it takes an `Idempotency-Key`, and what a repetition gets: the first response again or, where that holds a
   * secret, `idempotency_key_reused`.
   */
  idempotency?: 'replayed' | 'withheld'
}

type One = Repeatable &
  Conditional<'If-None-Match' | 'If-Match'> & {
    /** Whether responses carry the record's ETag. */
    hasEntityTag?: true
  }

type Negotiable = {
  /**
   * What a client gets whose `Accept` names this media type and ranks it above JSON: a stream by a verb of its own. Its
   * members replace those of the operation.
   */
  alternative?: Alternative
}

/** JSON when absent. Of several types of a file the verb gets the one that `Accept` names. */
type Typed = { mediaTypes?: readonly string[] }

/**
 * What operations return, with the members that no others have. `page`: 200 and an array. `record`: 200. `created`: 201 and
 * `Location`. `replaced`: 200, or 201 and `Location` where there was no record; it also takes `If-None-Match: *`. `nothing`: 204. `value`: 200 and JSON that is no record. `stream`: 200 and a body that is sent while it is made.
 * `file`: 200, or 206 for a range, and constant bytes with an entity tag.
 */
type Kinds = {
  page: Negotiable &
    Conditional<'If-None-Match'> & {
      /** The schema of a page, an array of items. */
      list: Type.TSchema
      /** A list whose query has exactly one value of this filter responds with the ETag of that record. */
      entityTagFilter?: string
    }
  record: One
  created: One
  replaced: Conditional<'If-Match'> & Pick<One, 'hasEntityTag'>
  nothing: Repeatable & Conditional<'If-Match'>
  value: Repeatable & Negotiable
  stream: Typed & {
    /**
     * Whether it ends only with the service or its client. At a stop its source's signal is aborted, and what it yields
     * until it returns is still sent, for a second at most. Other streams are finished during a stop.
     */
    isEndless?: true
  }
  /**
   * `isDownload`: whether a browser saves the file, under the name that it has. `isUploaded`: whether clients have sent it, so
   * that its media type is that of what was sent, and a browser may show it, but run nothing in it.
   */
  file: Typed & Conditional<'If-None-Match'> & { isDownload?: true; isUploaded?: true }
}

type KeyOf<T> = T extends unknown ? keyof T : never

/** Members that only some operations have. */
export type OwnMember = KeyOf<Kinds[keyof Kinds]>

/** One of several types; it has none of the members that only the others have. */
type OneOf<Types> = {
  [Name in keyof Types]: Types[Name] & {
    [Member in Exclude<KeyOf<Types[keyof Types]>, keyof Types[Name]>]?: never
  }
}[keyof Types]

export type Operation<
  Query extends Type.TObject = Type.TObject,
  Body extends Type.TSchema = Type.TSchema,
  Item extends Type.TSchema = Type.TSchema,
> = Common<Query, Body, Item> &
  OneOf<Access> &
  OneOf<{ [Returns in keyof Kinds]: Kinds[Returns] & { returns: Returns } }>

/** A stream at the path of another operation: its query, its headers and its content. */
export type Alternative = {
  returns: 'stream'
  mediaTypes: readonly [string]
} & Partial<
  Pick<Operation, 'client' | 'query' | 'headers' | 'isStrict' | 'isEndless' | 'item' | 'examples'>
>

/** The operation that responds to clients that prefer its alternative. */
export function alternativeOf({ alternative, ...operation }: Operation): Operation | undefined {
  return alternative && ({ ...operation, ...alternative } as Operation)
}

/** Whether the body of a response takes as long as the client does. */
export function isStreamed({ returns }: Operation): boolean {
  return returns === 'stream' || returns === 'file'
}

/** Whether the client chooses a media type of the file by its `Accept`. */
export function isChosenByAccept({ returns, mediaTypes = [], isUploaded }: Operation): boolean {
  return returns === 'file' && mediaTypes.length > 1 && !isUploaded
}

/** Whether a file is compressed for clients that accept it. */
export function isCompressible({ returns, isDownload, isUploaded }: Operation): boolean {
  return returns === 'file' && !isDownload && !isUploaded
}

/** What a body may be. */
export type BodyContent<Schema extends Type.TSchema = Type.TSchema> = {
  /** JSON without a `Content-Type` is read as the first. */
  mediaTypes: readonly string[]
  sizeMaxBytes: number
  /** Of JSON; otherwise the verb receives bytes. */
  schema?: Schema
  /** Whether it may be absent, which counts as `{}`. */
  isOptional?: true
  /** Whether it counts in the share of its key before it is read: it is large, and kept whole until it is stored. */
  isUpload?: true
  /** The name of the only part of a form, a file of these types: the verb receives that. */
  part?: { name: string; mediaTypes: readonly string[] }
}

/** Interface 1.0.0, section 8, states no limit. */
export const bodySizeMaxBytes = 65_536

/** What surrounds the file in a form, at most: two delimiters and the headers of a part. */
export const formBytesMax = 8_192

/** What the body of an operation may be. */
export function contentOf(body: Type.TSchema | BodyContent): BodyContent {
  if ('mediaTypes' in body) return body as BodyContent
  return { mediaTypes: ['application/json'], sizeMaxBytes: bodySizeMaxBytes, schema: body }
}

/** `record` is the noun for messages. */
export type PathParameter = { name: string; record: string; description: string } & (
  | { type?: 'int64'; example: number }
  | { type: 'text'; schema: Type.TSchema; example: string }
)

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
