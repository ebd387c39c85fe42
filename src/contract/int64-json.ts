/**
 * A number that a double may not represent exactly. JSON.parse reads all others exactly: of 16 digits those that do not begin
 * with 9, of fewer all. What looks like one inside of a string mostly has another character before it.
 */
const mayBeInexact = /(?:^|[\s[:,])-?(?:[\d.]{17}|9[\d.]{15}|\d[\d.]*[eE])/

/**
 * Parses JSON (RFC 8259) with exact integers: a number where it is safe, else a `bigint`. Another number is a double, or
 * `NaN` where the double would be an integer; an integer of more than 30 digits is infinite. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text)
  return mayBeInexact.test(text) ? parseExactly(text) : value
}

/**
 * JSON text of plain data, a `bigint` as its digits. Throws `RangeError` for a number that is not finite or is an unsafe
 * integer, since it may have been rounded.
 */
export function stringifyJson(value: unknown): string {
  return write(value, String) ?? 'null'
}

/** JSON text that keeps types: a `bigint` is written as `{"int64":"…"}`, whatever its size. */
export function encodeTagged(value: unknown): string {
  return write(value, (integer) => `{"int64":"${integer}"}`) ?? 'null'
}

/** Decodes the text of `encodeTagged`. Throws `SyntaxError`. */
export function decodeTagged(text: string): unknown {
  return JSON.parse(text, (_key, member) =>
    typeof member?.int64 === 'string' ? BigInt(member.int64) : member,
  )
}

type Container = unknown[] | Record<string, unknown>

/** Parses valid JSON, with a stack of its own: a body can be nested deeper than calls can. */
function parseExactly(text: string): unknown {
  const root: unknown[] = []
  const open: Container[] = []
  let container: Container = root
  let name: string | undefined

  function put<Value>(value: Value): Value {
    if (Array.isArray(container)) container.push(value)
    else if (name !== '__proto__') container[name as string] = value
    else Object.defineProperty(container, name, { value, ...ordinary })
    name = undefined
    return value
  }

  for (let start = 0, end = 0; start < text.length; start = end) {
    const first = text[start] as string
    end = start + 1
    if (first === '{' || first === '[') {
      open.push(container)
      container = put(first === '{' ? {} : [])
    } else if (first === '}' || first === ']') container = open.pop() as Container
    else if (first === '"') {
      end = endOfString(text, start)
      const string = stringOf(text, start, end)
      if (name === undefined && !Array.isArray(container)) name = string
      else put(string)
    } else if (!separators.includes(first)) {
      while (end < text.length && !delimiters.includes(text[end] as string)) end++
      const token = text.slice(start, end)
      put(first >= 'f' ? JSON.parse(token) : exactNumber(token))
    }
  }
  return root[0]
}

const separators = ', :\n\r\t'
const delimiters = ',]} \n\r\t'
const ordinary = { writable: true, enumerable: true, configurable: true }

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, position: number): boolean {
  let start = position
  while (text[start - 1] === '\\') start--
  return (position - start) % 2 === 1
}

/** Most strings have no escapes. */
function stringOf(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1)
  return inside.includes('\\') ? JSON.parse(text.slice(start, end)) : inside
}

/** A double tells decimals of so many digits apart, unless they are so small that it is 0. */
const exactDigitsMax = 15
/** Integers with more digits are far outside of int64, and slow to convert. */
const digitsMax = 30
const plainInteger = /^-?\d{1,30}$/

function exactNumber(source: string): bigint | number {
  const double = Number(source)
  // The double of an integer is an integer, or infinite.
  if (!Number.isInteger(double)) return double
  const isExact = source.length <= exactDigitsMax && Math.abs(double) < 10 ** exactDigitsMax
  if (isExact && double !== 0) return double
  if (plainInteger.test(source)) return Number.isSafeInteger(double) ? double : BigInt(source)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0
  const significant = digits.slice(0, endOfSignificant(digits))
  const scale = Number(exponent) - fraction.length + digits.length - significant.length
  if (scale < 0) return Number.NaN
  if (significant.length + scale > digitsMax) {
    return sign === '' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  }
  if (Number.isSafeInteger(double)) return double
  return BigInt(`${sign}${significant}${'0'.repeat(scale)}`)
}

/** Where trailing zeros begin. A loop: `/0+$/` takes the square of the length on `1000…0001`. */
function endOfSignificant(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}

type WriteInteger = (integer: bigint) => string

/** JSON text as JSON.stringify has it but for numbers; `undefined` for what JSON has no text for. */
function write(value: unknown, writeInteger: WriteInteger): string | undefined {
  if (typeof value === 'bigint') return writeInteger(value)
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') requireExact(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return write(value.toJSON(), writeInteger)
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => write(item, writeInteger) ?? 'null').join()}]`
  }
  let members = ''
  for (const [name, member] of Object.entries(value)) {
    const text = write(member, writeInteger)
    if (text !== undefined) members += `${members && ','}${writeString(name)}:${text}`
  }
  return `{${members}}`
}

/** Looking for characters to escape costs less than a call of JSON.stringify. */
function writeString(text: string): string {
  return mayNeedEscapes.test(text) ? JSON.stringify(text) : `"${text}"`
}

const mayNeedEscapes = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

function requireExact(value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number of JSON.`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} may have been rounded: pass a bigint.`)
  }
}
