import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isDate, parseInstant } from '../../contract/instant.ts'
import { int64Max, int64Min } from '../../contract/int64.ts'
import type { Problem } from '../../contract/problem.ts'
import type * as Type from '../../contract/type.ts'
import { wordsOf } from '../../contract/words.ts'
import type { Failure } from './describe-failure.ts'

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  coerceTypes: false,
  useDefaults: false,
  // A test checks our schemas. To compile the meta-schema would take a tenth of each start.
  validateSchema: false,
  meta: false,
})
ajv.addFormat('int32', true)
ajv.addFormat('date-time', (text) => parseInstant(text) !== undefined)
ajv.addFormat('date', isDate)
ajv.addKeyword('allowed')
ajv.addKeyword('absentMeans')
const addCheck = (keyword: string, validate: (value: number, data: string) => boolean) =>
  ajv.addKeyword({ keyword, type: 'string', errors: false, validate })
addCheck('wellFormed', (_value, data: string) => data.isWellFormed())
addCheck('wordsMax', (wordsMax: number, data) => {
  const { length } = wordsOf(data)
  return length > 0 && length <= wordsMax
})
ajv.removeKeyword('minProperties')
ajv.addKeyword({
  keyword: 'minProperties',
  type: 'object',
  errors: false,
  // Of the known members: others are ignored.
  validate: (least: number, data: unknown, schema?: { properties?: object }) =>
    Object.keys(schema?.properties ?? {}).filter((name) => Object.hasOwn(data as object, name))
      .length >= least,
})
ajv.addKeyword({
  keyword: 'int64',
  modifying: true,
  errors: false,
  validate({ minimum }: { minimum?: number }, data: unknown, _: unknown, parent?: ParentRef) {
    const integer = toInt64(data)
    if (integer === undefined || !parent) return false
    if (minimum !== undefined && integer < minimum) return false
    parent.parentData[parent.parentDataProperty] = integer
    return true
  },
})
type ParentRef = {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

/** The int64 of a parsed JSON value, if it is one. JSON Schema counts 1.0 as an integer. */
function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'bigint' || value < int64Min || value > int64Max) return undefined
  return value
}

/**
 * Compiles a schema into a check that returns every problem, or an empty array. It converts each int64 in place to a
 * `bigint`, and nothing else.
 */
export function compileCheck(
  schema: Type.TSchema,
  explanation: Explanation,
): (value: unknown) => Problem[] {
  const { required = [] } = schema as { required?: string[] }
  // Compiled on first use: to compile all schemas would take a sixth of each start.
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= compile(forAjv(schema) as object)
    return validate(value) ? [] : explain(validate.errors ?? [], { ...explanation, required })
  }
}

/** How problems are told: `locate` names the position, `describe` says what is wrong. */
type Explanation = {
  locate(path: string): Pick<Problem, 'pointer' | 'parameter'>
  describe(failure: Failure): string
}

const compiled = new Map<string, ValidateFunction>()

/** Operations share parameters, and compiling a schema is slow. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(schema)
  compiled.set(text, validate)
  return validate
}

/**
 * Ajv's `integer` refuses a `bigint`; the ids of shared schemas would be registered twice; and Ajv reports each item of an
 * array that is too long.
 */
function forAjv(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forAjv)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key !== '$id' && key !== 'example' && key !== 'examples') copy[key] = forAjv(value)
  }
  if (copy.type === 'array') {
    const { items, ...list } = copy
    if (list.maxItems === undefined) throw new Error('An array of a request has no maxItems.')
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    return { ...list, if: { maxItems: list.maxItems }, then: { items } }
  }
  if (copy.format !== 'int64') return copy
  const { type: _type, format: _format, minimum, ...rest } = copy
  return { ...rest, int64: { minimum } }
}

/** One problem for each position, in the order of the document. */
function explain(
  errors: readonly ErrorObject[],
  { locate, describe, required }: Explanation & { required: readonly string[] },
): Problem[] {
  const problems = new Map<string, Problem>()
  for (const { keyword, instancePath, params, parentSchema, data } of errors) {
    const path = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
    const schema = (parentSchema ?? {}) as Failure['schema']
    // Where items are wrong each has its own error, and so has what is neither null nor the value that may be null.
    if (problems.has(path) || keyword === 'if' || schema.type === 'null' || keyword === 'anyOf')
      continue
    const isMember = path.lastIndexOf('/') === 0
    const isOptional = isMember && !required.includes(path.slice(1))
    const isItem = path.lastIndexOf('/') > 0
    const detail = describe({ keyword, data, schema, isOptional, isItem })
    problems.set(path, { ...locate(path), detail })
  }
  return [...problems.values()]
}
