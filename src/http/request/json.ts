import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../contract/service-error.ts'
import { locateInvalidUtf8, locateJsonError } from './locate-json-error.ts'

/** Deeper nesting is refused: no schema is nested, and parsers differ in their limits. */
const depthMax = 500

/** Digits or an exponent that a double may not represent exactly. Other texts are parsed exactly by JSON.parse. */
const mayBeInexact = /[\d.]{16}|\d[eE]/

/**
 * Parses JSON (RFC 8259) with every integer exact, as a `bigint` where a double could not hold it. Throws
 * `invalid_json` with the position of the error, `invalid_body` when it is nested too deeply.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new ServiceError(
      'invalid_json',
      `The body is not JSON: it is not valid UTF-8 at ${locateInvalidUtf8(bytes)}.`,
    )
  }
  const text = withoutByteOrderMark(bytes.toString('utf8'))
  const value = parse(text)
  const isInexact = mayBeInexact.test(text)
  if (!isInexact && text.length <= depthMax) return value
  const { depth, numbers } = scanNumbers(text)
  if (depth > depthMax) {
    throw new ServiceError('invalid_body', `The body is nested more than ${depthMax} levels deep.`)
  }
  return isInexact ? withExactIntegers(value, text, numbers) : value
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ServiceError('invalid_json', `The body is not JSON: ${locateJsonError(text)}.`, {
      cause: error,
    })
  }
}

/**
 * The nesting depth of valid JSON, and the source texts of the numeric members of its top object, the last of each
 * name.
 */
type NumberScan = { depth: number; numbers: ReadonlyMap<string, string> }

/** A member name, a colon and a number. */
const numberMember = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:[ \t\n\r]*(-?\d[\d.eE+-]*)/y

/** One pass over valid JSON. A reviver would cost ten times as much, since it is called for every value. */
function scanNumbers(text: string): NumberScan {
  const numbers = new Map<string, string>()
  let open = 0
  let depth = 0
  for (let position = 0; position < text.length; position++) {
    switch (text[position]) {
      case '{':
      case '[':
        depth = Math.max(depth, ++open)
        break
      case '}':
      case ']':
        open--
        break
      case '"': {
        numberMember.lastIndex = position
        const [, name, number] = (open === 1 && numberMember.exec(text)) || []
        if (name && number) numbers.set(textOf(name), number)
        position = endOfString(text, position)
      }
    }
  }
  return { depth, numbers }
}

/** The value of a JSON string; most have no escapes. */
function textOf(string: string): string {
  return string.includes('\\') ? JSON.parse(string) : string.slice(1, -1)
}

/** The position of a string's closing quote. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}

/** Nested numbers stay doubles: no schema names any. */
function withExactIntegers(value: unknown, text: string, numbers: NumberScan['numbers']): unknown {
  if (typeof value === 'number') return exactInteger(text.trim())
  const members = value as Record<string, unknown>
  for (const [name, source] of numbers) {
    // Of duplicate members the last counts, and it need not be a number.
    if (typeof members[name] === 'number') members[name] = exactInteger(source)
  }
  return value
}

/** Numbers with more digits are outside of int64. */
const digitsMax = 30

/** An exact integer, or a double that is no integer. */
function exactInteger(source: string): bigint | number {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (/^0*$/.test(digits)) return 0
  const significant = digits.slice(0, endOfSignificant(digits))
  const scale = Number(exponent) - fraction.length + digits.length - significant.length
  if (scale < 0) return Number.NaN
  if (significant.length + scale > digitsMax) return Number.POSITIVE_INFINITY
  const integer = BigInt(`${sign}${significant}${'0'.repeat(scale)}`)
  const double = Number(integer)
  return Number.isSafeInteger(double) ? double : integer
}

/** Where trailing zeros begin. A loop: `/0+$/` takes the square of the length on `1000…0001`. */
function endOfSignificant(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}
