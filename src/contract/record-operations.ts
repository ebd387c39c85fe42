import type { ErrorCode } from './error-codes.ts'
import { inPascalCase, withArticle } from './list-words.ts'
import type { Lifecycle, Operation, OperationLink, PathParameter, Scope } from './operation.ts'
import type { Tag } from './tags.ts'
import type * as Type from './type.ts'

/** What the operations on the records of one kind have in common. */
type Kind = {
  /** The noun: a `pet` is named by `petId`. */
  record: string
  path: string
  /** The namespace of the client. */
  client: string
  tag: Tag
  lifecycle: Lifecycle
  /** What a key needs to read records, and to change them. */
  read: Scope | 'anyKey'
  write: Scope | 'anyKey'
  item: Type.TSchema
  /** Of a declared record: the schemas of a page, of a new one and of a change. */
  schemas?: { Page: Type.TSchema; New: Type.TSchema; Change: Type.TSchema }
  /** The member that is the id, where the records have entity tags. */
  taggedBy?: string
  /** The kind of which each record has one of these at most: its id is that of the record. */
  partOf?: PartOf
}

type PartOf = { record: string; path: string }

/** What an operation states itself: it replaces what follows from its kind; errors are added. */
type Own = Pick<Operation, 'examples'> & Partial<Operation>
/** The id of the record in the example, or the parameters of the path where the record belongs to another one. */
type OwnOfOne = Own & ({ exampleId: number } | { pathParameters: readonly PathParameter[] })

type Common<K extends Kind> = {
  method: Operation['method']
  path: string
  tag: Tag
  lifecycle: Lifecycle
  item: K['item']
  errors: readonly ErrorCode[]
  operationId: string
  summary: string
  description: string
}
type Reads<K extends Kind> = Common<K> & { scope: K['read'] }
type Writes<K extends Kind> = Common<K> & { scope: K['write'] }
type Takes<K extends Kind, Name extends 'New' | 'Change'> = K extends { schemas: object }
  ? { body: NonNullable<K['schemas']>[Name] }
  : unknown
type Lists<K extends Kind> = K extends { schemas: object }
  ? { list: NonNullable<K['schemas']>['Page'] }
  : unknown
type OfOne = { pathParameters: readonly [ReturnType<typeof idIn>] }
type IfMatch<K extends Kind> = K extends { taggedBy: string } ? { condition: 'If-Match' } : unknown

type Define<Asked extends Own, Common> = <const O extends Asked>(
  own: O,
) => Omit<Common, keyof O> & Omit<O, 'exampleId'>
type List<K extends Kind> = Define<
  Own,
  Reads<K> & Lists<K> & { client: `${string}.list`; returns: 'page' }
>
type Get<K extends Kind> = Define<OwnOfOne, Reads<K> & OfOne & { returns: 'record' }>
type Create<K extends Kind> = Define<Own, Writes<K> & Takes<K, 'New'> & { returns: 'created' }>
type Update<K extends Kind> = Define<
  OwnOfOne,
  Writes<K> & Takes<K, 'Change'> & OfOne & IfMatch<K> & { returns: 'record' }
>
type Replace<K extends Kind> = Define<
  OwnOfOne,
  Writes<K> & Takes<K, 'New'> & OfOne & IfMatch<K> & { returns: 'replaced' }
>
type Delete<K extends Kind> = Define<
  OwnOfOne,
  Writes<K> & OfOne & IfMatch<K> & { returns: 'nothing' }
>
type Act<K extends Kind> = Define<
  OwnOfOne & Pick<Operation, 'description'>,
  Writes<K> & OfOne & { returns: 'record' }
>

/** The parameter of a path that is the id of such a record. */
export function idIn<const Name extends string>(record: Name, example: number) {
  const description = `The identifier of the ${record}.`
  return { name: `${record}Id` as const, record, description, example }
}

/** The usual operations on records of a kind, each made from what it states itself. */
export function operationsOn<const K extends Kind>(kind: K) {
  const { record, path, client, read, write, taggedBy, schemas, partOf, ...common } = kind
  const name = inPascalCase(record)
  const one = withArticle(record)
  const plural = client.split('.').at(-1) ?? client
  const owner = partOf?.record ?? record
  const ofOne = partOf ? `${partOf.path}/{${owner}Id}/${record}` : `${path}/{${record}Id}`
  const idMember = taggedBy ?? (partOf ? `${owner}Id` : 'id')
  const hasEntityTag = taggedBy !== undefined
  const tagged = hasEntityTag ? ({ hasEntityTag: true } as const) : {}
  const ifNoneMatch = hasEntityTag ? ({ condition: 'If-None-Match' } as const) : {}
  const ifMatch = hasEntityTag ? ({ condition: 'If-Match' } as const) : {}
  const errors: ErrorCode[] = hasEntityTag ? ['not_found', 'precondition_failed'] : ['not_found']

  function define<D>(shared: Partial<Operation>): D {
    const operationOf = ({ exampleId, errors = [], ...own }: Own & { exampleId?: number }) => ({
      ...common,
      ...shared,
      ...(exampleId !== undefined && { pathParameters: [idIn(owner, exampleId)] }),
      ...own,
      errors: [
        ...(shared.errors ?? []),
        ...errors,
        // A body that no operation reads is received all the same.
        ...(shared.method === 'GET' || shared.body || own.body ? [] : ['body_too_large']),
      ],
    })
    return operationOf as D
  }

  return {
    list: define<List<K>>({
      operationId: `list${inPascalCase(plural)}`,
      summary: `List all ${plural}`,
      description: `Returns a page of ${plural} in ascending order of ids.`,
      ...(schemas && { list: schemas.Page }),
      method: 'GET',
      path,
      client: `${client}.list`,
      scope: read,
      returns: 'page',
      ...(hasEntityTag && { entityTagFilter: taggedBy, ...ifNoneMatch }),
    }),
    get: define<Get<K>>({
      operationId: `get${name}`,
      summary: `Get ${one}`,
      description: `Returns one ${record}.`,
      method: 'GET',
      path: ofOne,
      client: `${client}.get`,
      scope: read,
      returns: 'record',
      errors: ['not_found'],
      ...tagged,
      ...ifNoneMatch,
    }),
    create: define<Create<K>>({
      operationId: `create${name}`,
      summary: `Add ${one}`,
      description: `Adds ${one}. The response is sent once the ${record} is durable.`,
      ...(schemas && { body: schemas.New }),
      method: 'POST',
      path,
      client: `${client}.create`,
      scope: write,
      returns: 'created',
      idempotency: 'replayed',
      ...tagged,
    }),
    update: define<Update<K>>({
      operationId: `update${name}`,
      summary: `Update ${one}`,
      description: 'Changes the fields that are sent.',
      ...(schemas && { body: schemas.Change }),
      method: 'PATCH',
      path: ofOne,
      client: `${client}.update`,
      scope: write,
      returns: 'record',
      errors,
      ...tagged,
      ...ifMatch,
    }),
    /** Stores the record in place of the one that there is: of a kind whose ids are those of other records. */
    replace: define<Replace<K>>({
      operationId: `replace${name}`,
      summary: `Store ${one}`,
      description: `Stores ${one} in place of the one that there is.`,
      ...(schemas && { body: schemas.New }),
      method: 'PUT',
      path: ofOne,
      client: `${client}.put`,
      scope: write,
      returns: 'replaced',
      errors,
      ...tagged,
      ...ifMatch,
    }),
    delete: define<Delete<K>>({
      operationId: `delete${name}`,
      summary: `Delete ${one}`,
      description: `Removes ${one}. Its id is never reused.`,
      method: 'DELETE',
      path: ofOne,
      client: `${client}.delete`,
      scope: write,
      returns: 'nothing',
      errors,
      ...ifMatch,
    }),
    /** A further action on a record: `act('ship')` is at `/ship` below it. */
    act: (action: string) =>
      define<Act<K>>({
        operationId: `${action}${name}`,
        summary: `${inPascalCase(action)} ${one}`,
        method: 'POST',
        path: `${ofOne}/${action}`,
        client: `${client}.${action}`,
        scope: write,
        returns: 'record',
        idempotency: 'replayed',
        errors: ['not_found'],
      }),
    /** A link that passes the id of the returned record. */
    link: (operationId: string, description: string): OperationLink => ({
      operationId,
      description,
      parameters: { [`${owner}Id`]: `$response.body#/${idMember}` },
    }),
  }
}
