const keyStart = /pet_(?:live|test)_/i
const keyStartLength = 9

/** Common identifiers (UUID, ULID, KSUID) have shorter runs of letters and digits, unless hexadecimal. */
const plainRun = /[\dA-Za-z]+/g
const plainRunMin = 28
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
 * Whether a text contains an API key or a piece of one: plain or encoded (percent-encoding, quoted-printable, escapes,
 * hexadecimal, base64, nested), in any case. A piece without the prefix is found where it is long or belongs to
 * `secret`, the key that was sent with the text.
 */
export function holdsKey(text: string, secret?: string): boolean {
  return holdsKeyWithin(text, secretPart(secret), 0)
}

/** Replaces the parts of a text that contain a key with `…`: the smallest possible part, or all of it. */
export function maskKeys(text: string, secret?: string): string {
  if (!holdsKey(text, secret)) return text
  for (const separator of [/([\s/?&=#,;:()<>[\]{}"'|]+)/, /([\s/?&]+)/]) {
    const parts = text.split(separator).map((part) => (holdsKey(part, secret) ? '…' : part))
    const masked = parts.join('')
    if (!holdsKey(masked, secret)) return masked
  }
  return '…'
}

/** A key without its prefix. */
function secretPart(secret = ''): string {
  return secret
    .replace(/^bearer +/i, '')
    .replace(/^pet_(?:live|test)_/i, '')
    .toLowerCase()
}

function holdsKeyWithin(text: string, secret: string, depth: number): boolean {
  if (text.length < keyStartLength) return false
  if (keyStart.test(text) || hasLongRun(text) || sharesPiece(text.toLowerCase(), secret))
    return true
  return depth < depthMax && decodings(text).some((one) => holdsKeyWithin(one, secret, depth + 1))
}

function runsOf(text: string, pattern: RegExp, lengthMin: number): string[] {
  return (text.match(pattern) ?? []).filter(({ length }) => length >= lengthMin)
}

function hasLongRun(text: string): boolean {
  const runs = runsOf(text, plainRun, plainRunMin)
  return runs.some((run) => /\d/.test(run) && /[g-zG-Z]/.test(run))
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
