import { int64Max, int64Min } from './int64.ts'
import { cursorMax, limitDefault, limitMax, limitMin } from './paging.ts'
import { namePrefixMax, prefixPattern, textPattern } from './text-rules.ts'
import * as Type from './type.ts'
import { searchMax, searchWordsMax } from './words.ts'

/**
 * Internal keywords, absent from the published document: `allowed` describes the valid values in errors, `wellFormed`
 * refuses lone surrogates, `wordsMax` refuses a text without words and one with more of them, `absentMeans` is the default
 * of an absent member.
 */
export const ownKeywords: readonly string[] = ['allowed', 'wellFormed', 'wordsMax', 'absentMeans']

/** A 64-bit integer, a `bigint` in code. `allowed` describes the valid values in errors. */
export function int64(options: { description?: string; minimum?: number; examples?: number[] }) {
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

/** An instant in a response. */
export function instant(description: string, example: string) {
  return Type.String({ format: 'date-time', maxLength: 30, description, examples: [example] })
}

/**
 * A text of 1 to `max` code points, at least one of them not white space, none of them a control character or a lone
 * surrogate. It is stored and returned unchanged; every database accepts the same texts.
 */
export function text({ max, description, examples }: TextOptions) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: max,
    pattern: textPattern,
    wellFormed: true,
    allowed: allowedText(max),
    examples,
  })
}

type TextOptions = { max: number; description: string; examples: string[] }

function allowedText(max: number): string {
  return `a string of 1 to ${max} characters, at least one of them not white space, none of them a control character or a lone surrogate`
}

/** A text to change: `null` removes it (RFC 7396). */
export function removableText({ max, description, examples }: TextOptions) {
  const allowed = `null to remove it, or ${allowedText(max)}`
  return Type.Unsafe<string | null>({
    anyOf: [{ ...text({ max, description, examples }), allowed }, { type: 'null' }],
    description: `${description.replace(/\.$/, '')}; \`null\` removes the text.`,
    examples: [...examples, null],
  })
}

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
  item: Type.TSchema,
  options: { $id: string; description: string; examples: unknown[] },
): Type.TSchema {
  return Type.Array(item, { maxItems: limitMax, ...options })
}

/** The parameters of every list besides its filters. */
export const pageParameters = Type.Object({
  limit: Type.Optional(
    int32({
      minimum: limitMin,
      maximum: limitMax,
      default: limitDefault,
      description: 'Maximum number of records returned.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        'Where the page starts: the `cursor` of the `next` link of the previous page. Opaque, and valid only for the same list, filters and order.',
      maxLength: cursorMax,
      allowed: 'the cursor of a next link, sent once',
    }),
  ),
  after: Type.Optional(
    int64({
      description:
        'Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position.',
      minimum: 0,
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'id' | '-id'>({
      type: 'string',
      enum: ['id', '-id'],
      default: 'id',
      description: 'Ascending (`id`) or descending (`-id`) order of ids.',
      allowed: 'id or -id',
    }),
  ),
})
