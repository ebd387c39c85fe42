const keyStart = /pet_(?:live|test)_/i
const keyStartLength = 9

/** Identifiers in use (UUID, ULID, KSUID) have fewer letters and digits in a row, unless these are hexadecimal. */
const plainRun = /[\dA-Za-z]+/g
const plainRunMin = 28
const hexRun = /(?:[\da-fA-F]{2}[ :.-]?)+/g
const hexRunMin = 2 * keyStartLength
const base64Run = /[\w+/-]+/g
const base64RunMin = (4 * keyStartLength) / 3
/** A character in percent-encoding, however often that was applied, in quoted-printable, as an escape or entity. */
const escaped = /(?:%(?:25)*|=|\\x|\\u00|&#x)([\da-fA-F]{2});?|&#(\d{2,3});/g

/** Base64 of letters and digits: the first of each four characters stands for less than 32. */
const mayBeAscii = /(?:[A-Za-f]...){3}/
const printable = /[\x20-\x7e]{9}/

/** How many encodings within one another are undone. */
const depthMax = 3
/** The secret of a request is found by any piece of it of this length, and by some that are shorter. */
const sharedLength = 11
const sharedStep = 4
const gramLength = sharedLength - sharedStep + 1

/**
 * Whether a text has an API key in it, or a piece of one: plain or encoded (percent-encoding, quoted-printable, escapes,
 * hexadecimal, base64, one within another), in any case. A piece without its beginning is found where it is long, or
 * belongs to `secret`, the key that was sent with the text.
 */
export function holdsKey(text: string, secret?: string): boolean {
  return holdsKeyWithin(text, secretPart(secret), 0)
}

/** A text without what holds a key, in place of which there is `…`: as little as possible of it, but all where it has to be. */
export function maskKeys(text: string, secret?: string): string {
  if (!holdsKey(text, secret)) return text
  for (const separator of [/([\s/?&=#,;:()<>[\]{}"'|]+)/, /([\s/?&]+)/]) {
    const parts = text.split(separator).map((part) => (holdsKey(part, secret) ? '…' : part))
    const masked = parts.join('')
    if (!holdsKey(masked, secret)) return masked
  }
  return '…'
}

/** All but the beginning that every key has. */
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

/** What a text may be an encoding of, in whole or in part; what has no place for a key is left out. */
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

/** UTF-16 has zeros between letters. */
function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
