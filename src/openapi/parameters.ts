import { alternativeOf, type Operation, type PathParameter } from '../contract/operation.ts'
import type { ParameterHeader } from '../contract/request-headers.ts'
import { pageParameters } from '../contract/schemas.ts'
import type * as Type from '../contract/type.ts'
import { idempotencyKeyMax } from '../http/idempotency.ts'
import { encodeCursor } from '../http/request/cursor.ts'
import { compileQuery } from '../http/request/parameters.ts'
import { headerParameter } from './headers.ts'
import { createSchemas, type Schemas } from './schemas.ts'

/** The maximum header block is 16 KiB. */
const headerMax = 16_384

const header = (
  name: ParameterHeader,
  description: string,
  example: string,
  schema: object = { maxLength: headerMax },
) => headerParameter({ name, description, example, required: false }, schema)

const queryParameter = (
  name: string,
  { description, ...schema }: Type.TSchema & { description?: string },
  example: unknown,
  { refer }: Schemas,
) => ({ name, in: 'query', description, schema: refer(schema), example })

/** The page that the example request of every list asks for. */
const examplePage = { limit: 20, after: 10, sort: 'id' }

const pageParameter = (name: keyof typeof examplePage) =>
  queryParameter(name, pageParameters.properties[name], examplePage[name], createSchemas())

const sharedParameters = {
  Limit: pageParameter('limit'),
  After: pageParameter('after'),
  Sort: pageParameter('sort'),
  Prefer: header(
    'Prefer',
    '`handling=strict` refuses unknown query parameters and body members with 400; otherwise they are ignored, and named in `Petstore-Ignored`. `scopes` asks for `Petstore-Scopes`. Other preferences are ignored (RFC 7240).',
    'handling=strict',
  ),
  PreferOfList: header(
    'Prefer',
    '`count=exact` asks for the number of all matching records in `X-Total-Count`. `handling=strict` refuses unknown query parameters with 400; otherwise they are ignored, and named in `Petstore-Ignored`. `scopes` asks for `Petstore-Scopes`. Other preferences are ignored (RFC 7240).',
    'count=exact, handling=strict',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'Entity tags that the client has; 304 if one of them is current (RFC 9110).',
    '"eYQM1htGdlQE3zqj5pSyYj"',
  ),
  IfMatch: header(
    'If-Match',
    'Entity tags of the record, or `*`: the change is made only if one of them is current (RFC 9110). A tag that a proxy has made weak matches too.',
    '*',
  ),
  IfNoneMatchOfPut: header(
    'If-None-Match',
    '`*`: the change is made only if there is no record yet. Entity tags: only if none of them is current (RFC 9110).',
    '"eYQM1htGdlQE3zqj5pSyYj"',
  ),
  Range: header(
    'Range',
    'The bytes to send, such as `bytes=0-1023`. For several ranges the whole body is sent (RFC 9110).',
    'bytes=0-1023',
  ),
  IfRange: header(
    'If-Range',
    'The entity tag that `Range` refers to. If it is not current, the whole body is sent (RFC 9110).',
    '"eYQM1htGdlQE3zqj5pSyYj"',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'A unique value for this request. A repetition within 24 hours is not performed; it gets the first response again. Double quotes around the value are optional.',
    '5f0c1a52-6d8e-4b1f-9a37-2c64e0b7d913',
    { minLength: 1, maxLength: idempotencyKeyMax },
  ),
  RequestId: header(
    'X-Request-Id',
    "The client's own id for this request: a UUID, a ULID, the id of a W3C trace, or a word of at most 30 letters, digits, `-` and `_` that does not begin with `pet_`. It is returned and logged; any other id is replaced.",
    'checkout-4711',
    { minLength: 1, maxLength: 128 },
  ),
}

/** The shared parameters that this text refers to. */
export function parametersIn(text: string): Record<string, object> {
  const entries = Object.entries(sharedParameters)
  return Object.fromEntries(
    entries.filter(([name]) => text.includes(`"#/components/parameters/${name}"`)),
  )
}

/** The parameters of an operation, each with an example; the examples form one valid request. */
export function parametersOf(operation: Operation, schemas: Schemas): unknown[] {
  const { pathParameters = [], returns, scope, condition, idempotency } = operation
  const isList = returns === 'page'
  const shared = {
    Prefer: !isList && scope !== 'public',
    PreferOfList: isList,
    IfNoneMatch: condition === 'If-None-Match',
    IfMatch: condition === 'If-Match',
    IfNoneMatchOfPut: returns === 'replaced',
    Range: returns === 'file',
    IfRange: returns === 'file',
    IdempotencyKey: idempotency !== undefined,
    RequestId: true,
  }
  return [
    ...pathParameters.map((parameter) => pathParameterOf(parameter, schemas)),
    ...ownParametersOf(operation, schemas),
    ...Object.entries(shared)
      .filter(([, isTaken]) => isTaken)
      .map(([name]) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function pathParameterOf(parameter: PathParameter, { refer }: Schemas): object {
  const { name, description, example } = parameter
  const schema =
    parameter.type === 'text'
      ? refer(parameter.schema)
      : { type: 'integer', format: 'int64', minimum: 0 }
  return { name, in: 'path', required: true, description, schema, example }
}

/** The parameters of an operation, and those of its alternative that it does not have itself. */
function ownParametersOf(operation: Operation, schemas: Schemas): object[] {
  const own = [...queryParametersOf(operation, schemas), ...headerParametersOf(operation, schemas)]
  const alternative = alternativeOf(operation)
  if (!alternative) return own
  const { returns, query, headers } = operation
  const known = {
    ...(returns === 'page' ? pageParameters.properties : {}),
    ...query?.properties,
    ...headers?.properties,
  }
  const others = [
    ...queryParametersOf(alternative, schemas),
    ...headerParametersOf(alternative, schemas),
  ]
  return [...own, ...others.filter(({ name = '' }) => !(name in known))]
}

type Parameter = { name?: string; $ref?: string }

function headerParametersOf({ headers, examples }: Operation, { refer }: Schemas): Parameter[] {
  return Object.entries(headers?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as Type.TSchema & {
      type?: string
      description?: string
    }
    const sent = examples.headers?.[name]
    const example = schema.type === 'integer' ? Number(sent) : sent
    return { name, in: 'header', description, schema: refer(schema), example }
  })
}

function queryParametersOf(operation: Operation, schemas: Schemas): Parameter[] {
  const isList = operation.returns === 'page'
  const examples = isList ? exampleQueryOf(operation) : { ...operation.examples.query }
  const filters = Object.entries(operation.query?.properties ?? {}).map(([name, filter]) =>
    queryParameter(name, filter, examples[name], schemas),
  )
  if (!isList) return filters
  const { cursor } = pageParameters.properties
  return [
    { $ref: '#/components/parameters/Limit' },
    queryParameter('cursor', cursor, examples.cursor, schemas),
    { $ref: '#/components/parameters/After' },
    ...(operation.query?.properties.sort ? [] : [{ $ref: '#/components/parameters/Sort' }]),
    ...filters,
  ]
}

/** The query of the example with its page and its cursor. */
function exampleQueryOf(operation: Operation): Record<string, unknown> {
  const query = { ...operation.examples.query, ...examplePage }
  const texts = Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)])
  const parameters = new Map(texts as [string, string[]][])
  const parent = operation.pathParameters?.at(-1)?.example
  const { list, page } = compileQuery(operation)(parameters, undefined, parent?.toString())
  return { ...query, cursor: encodeCursor(page.after ?? 0n, list) }
}
