import type { IncomingHttpHeaders } from 'node:http'
import { int64Max } from '../../contract/int64.ts'
import type { Operation, PathParameter } from '../../contract/operation.ts'
import { limitDefault } from '../../contract/paging.ts'
import { type Problem, quotedName } from '../../contract/problem.ts'
import { pageParameters } from '../../contract/schemas.ts'
import { ServiceError } from '../../contract/service-error.ts'
import * as Type from '../../contract/type.ts'
import { type AnyPage, isByName, type Position } from '../../db/lists/page.ts'
import { decodeCursor, looksLikeCursor } from './cursor.ts'
import { describeParameter } from './describe-failure.ts'
import { invalid, unknownMax, unknownProblems } from './problems.ts'
import type { QueryParameters } from './query-string.ts'
import { compileCheck } from './schema.ts'

export type ParsedQuery = {
  filter: Record<string, unknown>
  page: AnyPage
  /** Names the list, the record of its path, its filters and its order, without the page. A cursor belongs to it. */
  list: string
  /** Unknown parameters, ten at most. */
  ignored: readonly string[]
}

/**
 * Compiles an operation's query into a parser, which throws `invalid_parameter` or `invalid_cursor` with every problem.
 * Unknown parameters are problems where they are refused. `parent` is the id in the path of a list.
 */
export function compileQuery(
  operation: Pick<Operation, 'operationId' | 'returns' | 'query' | 'isEndless' | 'alternative'>,
): (
  parameters: QueryParameters,
  handling?: { isStrict: boolean },
  parent?: bigint | string,
) => ParsedQuery {
  const own = operation.query?.properties ?? {}
  const isPage = operation.returns === 'page'
  const schema = Type.Object(isPage ? { ...pageParameters.properties, ...own } : own)
  const readers = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    read: readerOf(property),
  }))
  const check = compileCheck(schema, {
    locate: (path) => ({ parameter: path.split('/')[1] ?? '' }),
    describe: describeParameter,
  })
  const firstPage = parsedPage(operation.operationId, {}, [])
  const known = readers.map(({ name }) => name)
  const knownSet = new Set(known)
  // The document has one list of parameters for a page and its stream.
  const ofAlternative = new Set(Object.keys(operation.alternative?.query?.properties ?? {}))
  const of = `${operation.isEndless ? 'the stream of ' : ''}${operation.operationId}`

  return (parameters, { isStrict } = { isStrict: false }, parent) => {
    if (parameters.size === 0 && parent === undefined) return firstPage
    const name = parent === undefined ? operation.operationId : `${operation.operationId} ${parent}`
    const query: Record<string, unknown> = {}
    let knownCount = 0
    for (const { name, read } of readers) {
      const values = parameters.get(name)
      if (!values) continue
      query[name] = read(values)
      knownCount++
    }
    const ignored =
      knownCount === parameters.size
        ? firstPage.ignored
        : [...parameters.keys()].filter((name) => !knownSet.has(name)).slice(0, unknownMax)
    const refused = isStrict ? ignored.filter((name) => !ofAlternative.has(name)) : []
    const isTypoRefused = refused.length > 0
    const problems = check(query)
    if (isPage && query.after !== undefined && isByName({ sort: query.sort }))
      problems.push(afterProblem)
    if (isTypoRefused) problems.push(...unknownProblems(refused, { kind: 'parameter', of, known }))
    const isRefused = problems.length > 0
    const isCursorRefused = problems.some(({ parameter }) => parameter === 'cursor')
    if (isRefused && !isCursorRefused && typeof query.cursor === 'string') {
      // Without valid filters and order there is no list to compare the cursor with.
      const isListKnown = problems.every(
        ({ parameter = '' }) => isPlace.has(parameter) || !knownSet.has(parameter),
      )
      const fits = isListKnown
        ? decodeCursor(query.cursor, listOf(name, partsOf(query))) !== undefined
        : looksLikeCursor(query.cursor)
      if (!fits) problems.push(cursorProblem)
    }
    if (isRefused) throw invalidParameters(problems, { isStrict: isTypoRefused })
    if (!isPage) return { ...firstPage, filter: query, ignored }
    return parsedPage(name, query, ignored)
  }
}

/** Compiles the parser of an operation's own headers, which throws `invalid_parameter`. */
export function compileHeaders(headers: Type.TObject) {
  const parse = compileQuery({ returns: 'value', operationId: '', query: headers })
  const names = Object.keys(headers.properties).map((name) => [name, name.toLowerCase()] as const)
  return (sent: IncomingHttpHeaders): Record<string, unknown> => {
    const values = new Map<string, string[]>()
    for (const [name, key] of names) {
      const value = sent[key]
      if (value !== undefined) values.set(name, [value].flat())
    }
    return parse(values).filter
  }
}

/** Parameters that select a page, and do not identify the list. */
const isPlace = new Set(['limit', 'after'])

function parsedPage(
  name: string,
  query: Record<string, unknown>,
  ignored: readonly string[],
): ParsedQuery {
  const { limit, sort, after, cursor, filters } = partsOf(query)
  const list = listOf(name, { sort, filters })
  const pageAfter = (place: Position | undefined) => ({ limit, sort, after: place }) as AnyPage
  if (cursor === undefined) return { filter: filters, page: pageAfter(after), list, ignored }
  const place = decodeCursor(cursor, list)
  if (place === undefined || isByName({ sort }) !== (typeof place === 'object')) {
    throw new ServiceError(
      'invalid_cursor',
      'cursor does not belong to this list with these filters in this order. Start again without it, or follow the next link unchanged.',
      { problems: [cursorProblem] },
    )
  }
  if (after !== undefined && after !== place) {
    const detail = `must be absent, or the id that cursor names; received ${after}`
    throw invalidParameters([{ parameter: 'after', detail }])
  }
  return { filter: filters, page: pageAfter(place), list, ignored }
}

type Parts = {
  limit: number
  sort: AnyPage['sort']
  after: bigint | undefined
  cursor: string | undefined
  filters: Record<string, unknown>
}

function partsOf(query: Record<string, unknown>): Parts {
  const { limit = limitDefault, sort = 'id', after, cursor, ...filters } = query
  return { limit, sort, after, cursor, filters } as Parts
}

function listOf(name: string, { sort, filters }: Pick<Parts, 'sort' | 'filters'>): string {
  const names = Object.keys(filters).sort()
  return JSON.stringify([name, sort, names.map((key) => [key, withoutBigInt(filters[key])])])
}

/** JSON.stringify does not take a bigint. A replacer would cost five times as much. */
function withoutBigInt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBigInt)
  return typeof value === 'bigint' ? String(value) : value
}

const afterProblem: Problem = {
  parameter: 'after',
  detail:
    'must be absent where sort is name or -name, which has no order of ids: follow the next link, or send its cursor',
}

const cursorProblem: Problem = {
  parameter: 'cursor',
  detail: 'must be the cursor of a next link of this very list',
}

function invalidParameters(
  problems: readonly Problem[],
  handling?: { isStrict: boolean },
): ServiceError {
  const isCursorAlone = problems.every(({ parameter }) => parameter === 'cursor')
  return invalid(isCursorAlone ? 'invalid_cursor' : 'invalid_parameter', problems, handling)
}

/** Integers are `0` or `-?[1-9][0-9]*`, nothing else: no sign, no fraction, no exponent, no white space. */
const integerPattern = /^(?:0|-?[1-9][0-9]*)$/
const isBoolean = /^(?:true|false)$/

/**
 * Converts the texts of one parameter to the type of its schema. Invalid texts stay texts, and the check refuses them.
 */
export function readerOf(
  schema: Type.TSchema & { type?: string; format?: string; items?: Type.TSchema },
) {
  if (schema.type === 'array' && schema.items) {
    const readItem = readerOf(schema.items)
    return (values: readonly (string | undefined)[]): unknown =>
      values.map((value) => readItem([value]))
  }
  return ([value, ...others]: readonly (string | undefined)[]): unknown => {
    if (others.length > 0) return [value, ...others]
    if (value === undefined) return null
    if (schema.type === 'boolean' && isBoolean.test(value)) return value === 'true'
    if (schema.type !== 'integer' || !integerPattern.test(value)) return value
    return schema.format === 'int64' ? BigInt(value) : Number(value)
  }
}

const pathIdPattern = /^(?:0|[1-9][0-9]{0,18})$/

const longestPathId = String(int64Max)

/** Whether a text of a path is an id: `0` or `[1-9][0-9]*`, within int64. */
export function isPathId(text: string): boolean {
  // Texts of digits of one length are in the order of their numbers.
  return pathIdPattern.test(text) && (text.length < longestPathId.length || text <= longestPathId)
}

/**
 * Compiles the parser of a path parameter. It throws `not_found` for an id that is not an int64, `invalid_parameter` for a
 * text that its schema does not allow.
 */
export function compilePathParameter(parameter: PathParameter): (text: string) => bigint | string {
  const { name, record } = parameter
  if (parameter.type === 'text') {
    const members = Type.Object({ [name]: parameter.schema })
    const check = compileCheck(members, {
      locate: () => ({ parameter: name }),
      describe: describeParameter,
    })
    return (text) => {
      const problems = check({ [name]: text })
      if (problems.length > 0) throw invalidParameters(problems)
      return text
    }
  }
  return (text) => {
    if (isPathId(text)) return BigInt(text)
    throw new ServiceError(
      'not_found',
      `There is no ${record} with the id ${quotedName(text)}: an id is an integer from 0 to ${int64Max}.`,
    )
  }
}
