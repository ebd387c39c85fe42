import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../contract/service-error.ts'
import { locateInvalidUtf8, locateJsonError } from './locate-json-error.ts'

/** Nesting beyond this is refused: nothing that we take is nested, and parsers differ in what they survive. */
const depthMax = 500

/** Digits, or an exponent, that a double might not keep. Anything else a plain parse reads exactly. */
const mayBeInexact = /[\d.]{16}|\d[eE]/

/**
 * Parses JSON (RFC 8259) with every integer exact, as a `bigint` where a double could not hold it.
 * Throws `invalid_json` saying where it is broken, `invalid_body` when it is nested too deeply.
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
  const { levels, numbers } = scanNumbers(text)
  if (levels > depthMax) {
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

/** How deeply valid JSON is nested, and the texts of the numbers that are members of its object, the last of each name. */
type NumberScan = { levels: number; numbers: ReadonlyMap<string, string> }

/** A name, a colon and a number, from the start of the name. */
const numberMember = /("(?:[^"\\]|\\.)*")[ \t\n\r]*:[ \t\n\r]*(-?\d[\d.eE+-]*)/y

/** One pass over valid JSON. A reviver would be called for every value there is, at ten times the cost. */
function scanNumbers(text: string): NumberScan {
  const numbers = new Map<string, string>()
  let open = 0
  let levels = 0
  for (let position = 0; position < text.length; position++) {
    switch (text[position]) {
      case '{':
      case '[':
        levels = Math.max(levels, ++open)
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
  return { levels, numbers }
}

/** What a string in JSON stands for; most have no escapes. */
function textOf(string: string): string {
  return string.includes('\\') ? JSON.parse(string) : string.slice(1, -1)
}

/** Where the closing quote of a string is. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}

/** No other number is one that any schema names: those further down stay as a double has them. */
function withExactIntegers(value: unknown, text: string, numbers: NumberScan['numbers']): unknown {
  if (typeof value === 'number') return exactInteger(text.trim())
  const members = value as Record<string, unknown>
  for (const [name, source] of numbers) {
    // Of members with one name the last counts, which need not be a number.
    if (typeof members[name] === 'number') members[name] = exactInteger(source)
  }
  return value
}

/** More digits than this are outside of int64, whatever they are. */
const digitsMax = 30

/** The number that a JSON text stands for: an integer exactly, anything else as what no integer is. */
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
