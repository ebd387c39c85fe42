import type { Matching, SheetRow } from '../../contract/content.ts'
import { type Problem, shortened } from '../../contract/problem.ts'
import { listSeparator, restore } from '../../contract/sheets.ts'
import type * as Type from '../../contract/type.ts'
import { aboutBody, describeParameter, type Failure } from '../request/describe-failure.ts'
import { readerOf } from '../request/parameters.ts'
import { compileCheck } from '../request/schema.ts'

/**
 * What a row is: an update where it has a value for the first member of `update`, else a create, which needs one of the
 * members in `oneOf`.
 */
export type RowSchemas = {
  create: Type.TObject
  update: Type.TObject
  oneOf: readonly string[]
  /** Changes the values of a row before they are checked; returns what is wrong with them. */
  prepare?(values: Record<string, unknown>, defaults: Matching['defaults']): Problem[]
}

/** The values of a row by members, and by member the name that the file has for it. */
export type RowValues = {
  line: number
  values: Record<string, unknown>
  names: ReadonlyMap<string, string>
}

export type RowCheck = ReturnType<typeof compileRow>

/** Compiles the check of rows, of cells or of JSON. */
export function compileRow({ create, update, oneOf, prepare }: RowSchemas, isOfCells: boolean) {
  const { properties } = update
  const [key = ''] = Object.keys(properties)
  const explanation = isOfCells ? { ...aboutBody, describe: describeCell } : aboutBody
  const checks = {
    create: compileCheck(create, explanation),
    update: compileCheck(update, explanation),
  }
  const readers = new Map(
    Object.entries(properties).map(([name, schema]) => [name, compileReader(schema, isOfCells)]),
  )
  const missing = { pointer: `/${oneOf[0]}`, detail: 'is missing' }

  return {
    key,
    members: Object.keys(properties),
    /** Of each of these a column is needed to create records. */
    required: [
      ...((create as { required?: string[] }).required ?? []).map((name) => [name]),
      oneOf,
    ],
    reader: (member: string) => readers.get(member) ?? String,
    check({ line, values, names }: RowValues, defaults: Matching['defaults']): SheetRow {
      const isUpdate = key in values
      const problems = prepare?.(values, defaults) ?? []
      if (problems.length === 0) problems.push(...checks[isUpdate ? 'update' : 'create'](values))
      if (!isUpdate && !oneOf.some((name) => name in values)) problems.push(missing)
      if (problems.length === 0) return { line, values }
      return {
        line,
        problems: problems.map(({ pointer = '', detail }) => {
          const member = pointer.split('/')[1] ?? ''
          const column = member === '' ? {} : { column: shortened(names.get(member) ?? member) }
          return { line, ...column, code: 'invalid_body', detail }
        }),
      }
    },
  }
}

/** What pandas makes of an integer beside an empty cell; a double holds each of these exactly. */
const isWhole = /^(-?\d{1,15})\.00?$/

/** Converts values to the type of their member: words of a list whatever their case, and cells. */
function compileReader(schema: Type.TSchema, isOfCells: boolean): (value: unknown) => unknown {
  const {
    type,
    enum: words = [],
    minLength,
  } = schema as {
    type?: string
    enum?: string[]
    minLength?: number
  }
  const read = readerOf(schema)
  return (value) => {
    if (typeof value !== 'string') return value
    const word = value.trim().toLowerCase()
    if (words.includes(word)) return word
    if (!isOfCells) return value
    if (type === 'array') {
      const words = restore(value).split(listSeparator)
      return words.map((word) => word.trim()).filter((word) => word !== '')
    }
    if (type === 'integer') return read([value.trim().replace(isWhole, '$1')])
    return minLength === undefined ? value.trim() : restore(value)
  }
}

function describeCell(failure: Failure): string {
  const { keyword, schema, data, isItem } = failure
  if (keyword === 'required') return 'is missing'
  if (isItem || Array.isArray(data))
    return `${aboutBody.describe(failure)}; ${listSeparator} separates several`
  if (schema.int64 && typeof data === 'string' && isRounded.test(data)) {
    return `must have all its digits; received ${JSON.stringify(data)}, which a spreadsheet has rounded: format the column as text, and enter the number again`
  }
  return describeParameter(failure)
}

/** A number in scientific notation, or of more digits than a double holds. */
const isRounded = /^[+-]?\d{1,20}(?:[.,]\d{0,20})?[eE]\+?\d{1,3}$|^-?\d{16,20}\.\d{1,20}$/
