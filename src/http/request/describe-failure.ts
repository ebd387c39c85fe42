import type { ErrorObject } from 'ajv'
import { shown } from '../../contract/problem.ts'
import { didYouMean } from '../../nearest-name.ts'

/** What a schema refuses of a value: the keyword that failed, with its schema, and the value. */
export type Failure = Pick<ErrorObject, 'keyword' | 'data'> & {
  schema: Partial<Keywords>
  /** Whether the value may be absent. */
  isOptional: boolean
  /** Whether the value is one of several of a parameter. */
  isItem: boolean
}

type Keywords = {
  allowed: string
  type: string
  enum: string[]
  int64: { minimum?: number }
  maxItems: number
}

/** How the problems of a body are told. */
export const aboutBody = {
  locate: (path: string) => ({ pointer: path }),
  describe: describeMember,
}

/** What is wrong with a body or a member of it, and what to send instead. */
function describeMember(failure: Failure): string {
  const { keyword, schema, data, isOptional } = failure
  if (keyword === 'required') return 'is missing'
  const allowed = schema.allowed ?? 'of another type'
  if (data === null && isOptional) return `must be ${allowed}, or left out; received null`
  if (isNumeric(schema) && typeof data === 'string') {
    return `must be a number, not a string; received ${shown(data)}`
  }
  if (allowed.startsWith('a string') && isNumber(data)) {
    return `must be a string, not a number; received ${shown(data)}`
  }
  if (schema.type === 'object' && isEncodedTwice(data)) {
    return `must be ${allowed}; received a string with JSON in it: encode it once`
  }
  return describeValue(failure)
}

/** What is wrong with a query parameter, and what to send instead. Its value is a text, or several. */
export function describeParameter(failure: Failure): string {
  const { keyword, schema, data, isItem } = failure
  if (data === null) return 'must be percent-encoded UTF-8; received other bytes'
  if (Array.isArray(data)) {
    const times = data.length === 2 ? 'twice' : `${data.length} times`
    return `was sent ${times}; send it ${keyword === 'maxItems' ? `at most ${schema.maxItems} times` : 'once'}`
  }
  if (isItem && typeof data === 'string' && data.includes(',')) {
    return `must be an integer; received ${shown(data)}; send the parameter once for each value`
  }
  return describeValue(failure)
}

function describeValue({ schema, data }: Failure): string {
  const received = `received ${shown(data)}`
  if (schema.enum && typeof data === 'string') {
    const advice = didYouMean(data, schema.enum, { otherwise: '' })
    return `must be ${schema.allowed}; ${received}${advice}`
  }
  const isOutOfRange = isNumber(data) && !(Math.abs(Number(data)) < int64End)
  if (schema.int64 && schema.int64.minimum === undefined && !isOutOfRange) {
    return `must be an integer; ${received}`
  }
  return `must be ${schema.allowed ?? 'of another type'}; ${received}`
}

function isNumeric({ type, int64 }: Failure['schema']): boolean {
  return type === 'integer' || int64 !== undefined
}

function isNumber(data: unknown): boolean {
  return typeof data === 'number' || typeof data === 'bigint'
}

function isEncodedTwice(data: unknown): boolean {
  return typeof data === 'string' && /^\s*\{/.test(data)
}

const int64End = 2 ** 63
