import { holdsSecret } from './key-format.ts'

const keyStart = /pet_(?:live|test)_/i
const keyStartLength = 9

/** Common identifiers (UUID, ULID, KSUID) have shorter runs of letters and digits, unless hexadecimal. */
const plainRun = /[\dA-Za-z]+/g
const plainRunMin = 28
/** Longer runs are not searched for checksums: they are no request ids. */
const checkedRunMax = 128
/** How much of a possible piece is shown: a quarter of a key's secret. */
const shownLength = 8
const hexRun = /(?:[\da-fA-F]{2}[ :.-]?)+/g
const hexRunMin = 2 * keyStartLength
const base64Run = /[\w+/-]+/g
const base64RunMin = (4 * keyStartLength) / 3
/** An encoded character: percent-encoding (applied any number of times), quoted-printable, an escape or an entity. */
const escaped = /(?:%(?:25)*|=|\\x|\\u00|&#x)([\da-fA-F]{2});?|&#(\d{2,3});/g

/** Base64 of letters and digits: the first of each four characters encodes less than 32. */
const mayBeAscii = /(?:[A-Za-f]...){3}/
const printable = /[\x20-\x7e]{9}/

/** The depth of nested encodings that is decoded. */
const depthMax = 3
/** Any piece of the request's secret of this length is found, and some shorter ones. */
const sharedLength = 11
const sharedStep = 4
const gramLength = sharedLength - sharedStep + 1

/**
 * `key`: an API key without or with its prefix, the start of one, or a piece of the request's own. `piece`: letters and
 * digits that may be a piece of another key, or of an identifier such as CloudFront's.
 */
type Found = 'key' | 'piece' | undefined

/**
 * Whether a text contains an API key: plain or encoded (percent-encoding, quoted-printable, escapes, hexadecimal,
 * base64, nested), in any case with its prefix; or a piece of `secret`, the key that was sent with the text.
 */
export function holdsKey(text: string, secret?: string): boolean {
  return find(text, secretPart(secret), 0) === 'key'
}

/** Whether `maskKeys` would change a text. */
export function needsMask(text: string, secret?: string): boolean {
  return find(text, secretPart(secret), 0) !== undefined
}

/**
 * Replaces the parts of a text that contain a key with `…`: the smallest possible part, or all of it. Parts that may be
 * a piece of a key keep their first characters, so that an identifier can be recognised.
 */
export function maskKeys(text: string, secret?: string): string {
  if (!needsMask(text, secret)) return text
  for (const separator of [/([\s/?&=#,;:()<>[\]{}"'|]+)/, /([\s/?&]+)/]) {
    const parts = text.split(separator).map((part) => maskPart(part, secretPart(secret)))
    const masked = parts.join('')
    if (!needsMask(masked, secret)) return masked
  }
  return '…'
}

function maskPart(part: string, secret: string): string {
  const found = find(part, secret, 0)
  if (found === undefined) return part
  return found === 'key' ? '…' : `${part.slice(0, shownLength)}…`
}

/** A key without its prefix. */
function secretPart(secret = ''): string {
  return secret
    .replace(/^bearer +/i, '')
    .replace(/^pet_(?:live|test)_/i, '')
    .toLowerCase()
}

function find(text: string, secret: string, depth: number): Found {
  if (text.length < keyStartLength) return undefined
  if (keyStart.test(text) || sharesPiece(text.toLowerCase(), secret)) return 'key'
  let found = findInRuns(text)
  if (found === 'key' || depth === depthMax) return found
  for (const decoded of decodings(text)) {
    const inner = find(decoded, secret, depth + 1)
    if (inner === 'key') return inner
    found ??= inner
  }
  return found
}

function runsOf(text: string, pattern: RegExp, lengthMin: number): string[] {
  return (text.match(pattern) ?? []).filter(({ length }) => length >= lengthMin)
}

function findInRuns(text: string): Found {
  const runs = runsOf(text, plainRun, plainRunMin).filter(
    (run) => /\d/.test(run) && /[g-zG-Z]/.test(run),
  )
  if (runs.length === 0) return undefined
  return runs.some((run) => run.length <= checkedRunMax && holdsSecret(run)) ? 'key' : 'piece'
}

function sharesPiece(text: string, secret: string): boolean {
  if (secret.length < gramLength) return false
  for (let start = 0; start + gramLength <= text.length; start += sharedStep) {
    if (secret.includes(text.slice(start, start + gramLength))) return true
  }
  return false
}

/** The possible decodings of a text and its parts; those too short for a key are omitted. */
function decodings(text: string): string[] {
  const decoded = [
    ...runsOf(text, hexRun, hexRunMin).flatMap(fromHex),
    ...runsOf(text, base64Run, base64RunMin).flatMap(fromBase64),
  ].filter((one) => printable.test(one))
  if (!/[%=\\&]/.test(text)) return decoded
  const unescaped = text.replace(escaped, (_, hex, decimal) =>
    String.fromCharCode(hex ? Number.parseInt(hex, 16) : decimal),
  )
  return unescaped === text ? decoded : [withoutZeros(unescaped), ...decoded]
}

function fromHex(run: string): string[] {
  const digits = run.replace(/[ :.-]/g, '')
  return [digits, digits.slice(1)].map((one) => textOf(Buffer.from(one, 'hex')))
}

function fromBase64(run: string): string[] {
  if (!mayBeAscii.test(run)) return []
  return [0, 1, 2, 3].map((start) => textOf(Buffer.from(run.slice(start), 'base64')))
}

function textOf(bytes: Buffer): string {
  return withoutZeros(bytes.toString('latin1'))
}

/** In UTF-16, ASCII letters are separated by zeros. */
function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
