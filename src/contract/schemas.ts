import { int64Max, int64Min } from './int64.ts'
import { listWords } from './list-words.ts'
import { member } from './member.ts'
import { cursorMax, limitDefault, limitMax, limitMin } from './paging.ts'
import { linesPattern, namePrefixMax, prefixPattern, textPattern } from './text-rules.ts'
import * as Type from './type.ts'
import { searchMax, searchWordsMax } from './words.ts'

/**
 * Internal keywords, absent from the published document: `allowed` describes the valid values in errors, `wellFormed`
 * refuses lone surrogates, `wordsMax` refuses a text without words and one with more of them, `absentMeans` is the default
 * of an absent member, `allOf` has what one member requires of another.
 */
export const ownKeywords: readonly string[] = [
  ...['allowed', 'wellFormed', 'wordsMax', 'absentMeans', 'allOf'],
]

/** A 64-bit integer, a `bigint` in code. `allowed` describes the valid values in errors. */
export function int64(options: {
  $id?: string
  description?: string
  minimum?: number
  examples?: number[]
}) {
  return Type.Unsafe<bigint>({
    type: 'integer',
    format: 'int64',
    allowed: `an integer from ${options.minimum ?? int64Min} to ${int64Max}`,
    ...options,
  })
}

/** The most requests per second that a limit may be. */
export const rateLimitMax = 1_000_000

/** A 32-bit integer within a range, a `number` in code. */
export function int32(options: {
  minimum: number
  maximum: number
  description: string
  examples?: number[]
  default?: number
}) {
  return Type.Unsafe<number>({
    type: 'integer',
    format: 'int32',
    allowed: `an integer from ${options.minimum} to ${options.maximum}`,
    ...options,
  })
}

/** A text in a response. */
export function textUpTo(maxLength: number, description: string, example: string) {
  return Type.String({ maxLength, description, examples: [example] })
}

/** An instant in a response. */
export function instant(description: string, example: string) {
  return Type.String({ format: 'date-time', maxLength: 30, description, examples: [example] })
}

/** A date. */
export function date(description: string, example: string) {
  const allowed = 'a date, such as 2026-11-02'
  return Type.String({ format: 'date', maxLength: 10, description, allowed, examples: [example] })
}

/** An instant to filter by, with an offset and of any precision. */
export function instantFilter(description: string) {
  const allowed = 'an instant, such as 2026-11-01T00:00:00Z'
  return { ...instant(description, '2026-11-01T00:00:00.000Z'), maxLength: 100, allowed }
}

/**
 * A text of 1 to `max` code points, at least one of them not white space, none of them a control character or a lone
 * surrogate. It is stored and returned unchanged; every database accepts the same texts.
 */
export function text(options: TextOptions) {
  return textOf(textPattern, 'a control character', options)
}

/** As `text`, also with tabs and line ends. */
export function lines(options: TextOptions) {
  return textOf(linesPattern, 'a control character other than tab and line end,', options)
}

function textOf(pattern: string, excluded: string, { max, description, examples }: TextOptions) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: max,
    pattern,
    wellFormed: true,
    allowed: `a string of 1 to ${max} characters, at least one of them not white space, none of them ${excluded} or a lone surrogate`,
    examples,
  })
}

type TextOptions = { max: number; description: string; examples: string[] }

/** The beginning of a name, as a filter. */
export function namePrefix(description: string) {
  return filterText(description, namePrefixMax, {
    allowed: `1 to ${namePrefixMax} characters, none of them a control character, sent once`,
  })
}

/** Words that a name has, as a filter. */
export function searchedWords(description: string) {
  return filterText(description, searchMax, {
    wordsMax: searchWordsMax,
    allowed: `1 to ${searchWordsMax} words of letters or digits in at most ${searchMax} characters, none of them a control character, sent once`,
  })
}

function filterText(
  description: string,
  max: number,
  rules: { allowed: string; wordsMax?: number },
) {
  const length = { minLength: 1, maxLength: max }
  return Type.String({ description, ...length, pattern: prefixPattern, wellFormed: true, ...rules })
}

/** The schema of a page of a list. */
export function pageOf(
  $id: string,
  item: Type.TSchema,
  example: readonly unknown[],
  noun = $id.toLowerCase(),
): Type.TSchema {
  const description = `A page of ${noun}.`
  return Type.Array(item, { maxItems: limitMax, $id, description, examples: [example] })
}

/** The id of a record. */
export function assignedId(
  example: number,
  description = 'Unique identifier assigned by the service.',
) {
  return member(int64({ description, minimum: 1, examples: [example] }), { isAssigned: true })
}

/** The ids of records, as a filter. */
export function idsFilter(noun: string) {
  return Type.Array(int64({}), {
    maxItems: 100,
    description: `Only ${noun} with one of these ids; repeat it for several.`,
    allowed: 'given at most 100 times',
  })
}

/** One of the values of a schema, as a filter. */
export function filterBy<Schema extends Type.TSchema>(schema: Schema, description: string) {
  return Type.Unsafe<Type.Static<Schema>>({ ...schema, description })
}

/** One of these texts. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  options: {
    $id?: string
    description: string
    allowed?: string
    default?: Value
    examples?: readonly Value[]
  },
) {
  const allowed = listWords(values, 'or')
  return Type.Unsafe<Value>({ type: 'string', enum: values, allowed, ...options })
}

/** A value to change: `null` stands for none. `means` says what that is, such as `for never`. */
export function nullable<Schema extends Type.TSchema>(
  schema: Schema,
  means: string,
  options: { description: string; examples: unknown[] },
) {
  const allowed = `null ${means}, or ${(schema as { allowed?: string }).allowed}`
  return Type.Unsafe<Type.Static<Schema> | null>({
    anyOf: [{ ...schema, allowed }, { type: 'null' }],
    ...options,
  })
}

/** A JSON object. */
export function objectOf<Members extends Type.TProperties>(
  $id: string,
  members: Members,
  description: string,
  ...examples: object[]
) {
  return Type.Object(members, { $id, description, examples })
}

/** A JSON object that a client sends. */
export function bodyOf<Members extends Type.TProperties>(
  $id: string,
  members: Members,
  description: string,
  ...examples: object[]
) {
  const { required = [] } = Type.Object(members) as { required?: string[] }
  const allowed = `a JSON object${required.length > 0 ? ` with ${listWords(required)}` : ''}`
  const options = { $id, description: `${description} Unknown members are ignored.`, allowed }
  return Type.Object(members, { ...options, examples })
}

/** The body of a change, of which each member may be absent. */
export function changeOf<Members extends Type.TProperties>(
  $id: string,
  members: Members,
  ...examples: object[]
) {
  return Type.Partial(members, {
    $id,
    description: 'Fields to change; omitted fields keep their value. Unknown members are ignored.',
    allowed: `a JSON object with ${listWords(Object.keys(members), 'or')}`,
    examples,
  })
}

/** The order of a list of records with names. */
export const sortByName = oneOf(['id', '-id', 'name', '-name'], {
  default: 'id',
  description:
    'Ascending (`id`) or descending (`-id`) order of ids, or of names (`name`, `-name`): case is ignored, and records with the same name are in order of ids. Page through an order of names with `cursor`; `after` is refused.',
})

/** The parameters of every list besides its filters. */
export const pageParameters = Type.Partial({
  limit: int32({
    minimum: limitMin,
    maximum: limitMax,
    default: limitDefault,
    description: 'Maximum number of records returned.',
  }),
  cursor: Type.String({
    description:
      'The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order.',
    maxLength: cursorMax,
    allowed: 'the cursor of a next link, sent once',
  }),
  after: int64({
    description:
      'Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position.',
    minimum: 0,
  }),
  sort: oneOf(['id', '-id'], {
    default: 'id',
    description: 'Ascending (`id`) or descending (`-id`) order of ids.',
  }),
})
