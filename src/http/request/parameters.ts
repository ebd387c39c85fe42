import Type from 'typebox'
import { int64Max } from '../../contract/int64.ts'
import type { Operation } from '../../contract/operation.ts'
import { limitDefault } from '../../contract/paging.ts'
import { pageParameters } from '../../contract/schemas.ts'
import { type Problem, ServiceError } from '../../contract/service-error.ts'
import type { PageRequest } from '../../db/lists/select-page.ts'
import { decodeCursor, looksLikeCursor } from './cursor.ts'
import type { QueryParameters } from './query-string.ts'
import { compileCheck } from './schema.ts'

export type ParsedQuery = {
  filter: Record<string, unknown>
  page: PageRequest
  /** Names the list, its filters and its order, without the page. A cursor belongs to it. */
  list: string
}

/** Compiles an operation's query into a parser, which throws `invalid_parameter` or `invalid_cursor` with every problem. */
export function compileQuery(operation: Operation): (parameters: QueryParameters) => ParsedQuery {
  const own = operation.query?.properties ?? {}
  const schema = Type.Object(
    operation.answers === 'page' ? { ...pageParameters.properties, ...own } : own,
  )
  const readers = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    read: reader(property),
  }))
  const check = compileCheck(schema, (path) => ({ parameter: path.split('/')[1] ?? '' }))
  const firstPage = parsedPage(operation.operationId, {})

  return (parameters) => {
    if (parameters.size === 0) return firstPage
    const query: Record<string, unknown> = {}
    for (const { name, read } of readers) {
      const values = parameters.get(name)
      if (values) query[name] = read(values)
    }
    const problems = check(query).map((problem) => withReceived(problem, parameters))
    const isRefused = problems.length > 0
    const isCursorRefused = problems.some(({ parameter }) => parameter === 'cursor')
    if (isRefused && !isCursorRefused && typeof query.cursor === 'string') {
      // Without valid filters and order there is no list to compare the cursor with.
      const isListKnown = problems.every(({ parameter }) => isPlace.has(parameter ?? ''))
      const fits = isListKnown
        ? decodeCursor(query.cursor, listOf(operation.operationId, partsOf(query))) !== undefined
        : looksLikeCursor(query.cursor)
      if (!fits) problems.push(cursorProblem)
    }
    if (isRefused) throw invalidParameters(problems)
    return parsedPage(operation.operationId, query)
  }
}

/** Parameters that select a page, and do not identify the list. */
const isPlace = new Set(['limit', 'after'])

/** Formats a received value as in a query, not as JSON. */
function withReceived(problem: Problem, parameters: QueryParameters): Problem {
  const values = parameters.get(problem.parameter ?? '') ?? []
  const received = values.includes(undefined)
    ? 'what is not percent-encoded UTF-8'
    : `it ${values.length} times`
  const detail = problem.detail.replace(/received (?:null|an array)$/, `received ${received}`)
  return { ...problem, detail }
}

function parsedPage(operationId: string, query: Record<string, unknown>): ParsedQuery {
  const { limit, sort, after, cursor, filters } = partsOf(query)
  const list = listOf(operationId, { sort, filters })
  if (cursor === undefined) return { filter: filters, page: { limit, sort, after }, list }
  const place = decodeCursor(cursor, list)
  if (place === undefined) {
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
  return { filter: filters, page: { limit, sort, after: place }, list }
}

type Parts = {
  limit: number
  sort: PageRequest['sort']
  after: bigint | undefined
  cursor: string | undefined
  filters: Record<string, unknown>
}

function partsOf(query: Record<string, unknown>): Parts {
  const { limit = limitDefault, sort = 'id', after, cursor, ...filters } = query
  return { limit, sort, after, cursor, filters } as Parts
}

function listOf(operationId: string, { sort, filters }: Pick<Parts, 'sort' | 'filters'>): string {
  const names = Object.keys(filters).sort()
  return JSON.stringify([
    operationId,
    sort,
    names.map((name) => [name, withoutBigInt(filters[name])]),
  ])
}

/** JSON.stringify does not take a bigint. A replacer would cost five times as much. */
function withoutBigInt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBigInt)
  return typeof value === 'bigint' ? String(value) : value
}

const cursorProblem: Problem = {
  parameter: 'cursor',
  detail: 'must be the cursor of a next link of this very list',
}

function invalidParameters(problems: Problem[]): ServiceError {
  const message = problems.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ')
  const isCursorAlone = problems.every(({ parameter }) => parameter === 'cursor')
  const code = isCursorAlone ? 'invalid_cursor' : 'invalid_parameter'
  return new ServiceError(code, `${message}.`, { problems })
}

/** Integers are `0` or `-?[1-9][0-9]*`, nothing else: no sign, no fraction, no exponent, no white space. */
const integerPattern = /^(?:0|-?[1-9][0-9]*)$/

/**
 * Converts the texts of one parameter to the type of its schema. Invalid texts stay texts, and the check refuses them.
 */
function reader(schema: Type.TSchema & { type?: string; format?: string; items?: Type.TSchema }) {
  if (schema.type === 'array' && schema.items) {
    const readItem = reader(schema.items)
    return (values: readonly (string | undefined)[]): unknown =>
      values.map((value) => readItem([value]))
  }
  return ([value, ...others]: readonly (string | undefined)[]): unknown => {
    if (others.length > 0) return [value, ...others]
    if (value === undefined) return null
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

/** The id in a path. Throws `not_found` for anything that is no int64. */
export function parsePathId(text: string, { record }: { record: string }): bigint {
  if (isPathId(text)) return BigInt(text)
  throw new ServiceError(
    'not_found',
    `There is no ${record} with this id: an id is an integer from 0 to ${int64Max}.`,
  )
}
