import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../errors.ts'
import { locateInvalidUtf8, locateJsonError } from './locate-json-error.ts'

/** Nesting beyond this is refused: nothing that we take is nested, and parsers differ in what they survive. */
const levelsMax = 500

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
  if (text.length > levelsMax && levelsOf(text) > levelsMax) {
    throw new ServiceError('invalid_body', `The body is nested more than ${levelsMax} levels deep.`)
  }
  return mayBeInexact.test(text) ? JSON.parse(text, exactNumber) : value
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

/** How deeply valid JSON is nested. */
function levelsOf(text: string): number {
  let levels = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++levels)
    else if (token === ']' || token === '}') levels--
  }
  return deepest
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source ? exactInteger(context.source) : value
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
