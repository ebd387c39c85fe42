const percent = (text: string) => hexOf(text).replace(/../g, '%$&')
export const hexOf = (text: string) => Buffer.from(text).toString('hex')
export const base64 = (text: string) => Buffer.from(text).toString('base64')
const escapeAll = (text: string, write: (hex: string, code: number) => string) =>
  [...text].map((one) => write(hexOf(one), one.charCodeAt(0))).join('')

/** A key and parts of it, in the encodings in which they may be in a text. */
export function encodingsOf(key: string): Record<string, string> {
  return {
    plain: key,
    'lower case': key.toLowerCase(),
    'upper case': key.toUpperCase(),
    'within words': `my-key:${key}!`,
    'its beginning': key.slice(0, 20),
    'without its beginning': key.slice(9),
    'its end': key.slice(-30),
    percent: percent(key),
    'percent, some': key.replaceAll('_', '%5F').replace('e', '%65'),
    'percent, twice': percent(percent(key.slice(0, 14))),
    'percent, seven times': key.replaceAll('_', `%${'25'.repeat(6)}5f`),
    'percent, UTF-16': percent([...key].join('\0')).slice(0, 120),
    base64: base64(key),
    'base64, without padding': base64(key.slice(0, 20)).replaceAll('=', ''),
    'base64 of the header': base64(`Bearer ${key}`),
    'base64 of the header, upper case': base64(`BEARER ${key.slice(0, 12).toUpperCase()}`),
    'base64, one letter before': base64(`x${key.slice(0, 14)}`),
    'base64, two letters before': base64(`xy${key.slice(0, 14)}`),
    'base64, behind a name': `id-${base64(key.slice(0, 14))}`,
    'base64url, behind a letter': `x${Buffer.from(key.slice(0, 14)).toString('base64url')}`,
    'base64, twice': base64(base64(key.slice(0, 13))),
    'base64 of percent': base64(key.slice(0, 12).replaceAll('_', '%5F')),
    hex: hexOf(key),
    'hex, upper case': hexOf(key).toUpperCase(),
    'hex, its beginning': hexOf(key.slice(0, 14)),
    'hex, at an odd place': `a${hexOf(key.slice(0, 14))}`,
    'hex, with colons': hexOf(key.slice(0, 20)).replace(/..\B/g, '$&:'),
    'hex of base64': hexOf(base64(key.slice(0, 14))),
    'quoted-printable': escapeAll(key.slice(0, 20), (hex) => `=${hex.toUpperCase()}`),
    'quoted-printable, some': key.replaceAll('_', '=5F'),
    'escapes of JSON': escapeAll(key.slice(0, 20), (hex) => `\\u00${hex}`),
    'escapes of a string': escapeAll(key.slice(0, 20), (hex) => `\\x${hex}`),
    entities: escapeAll(key.slice(0, 20), (_, code) => `&#${code};`),
    'entities, hexadecimal': escapeAll(key.slice(0, 20), (hex) => `&#x${hex};`),
  }
}

const windowLength = 14

/** The first part of one text that is in another, in any case; `undefined` when no part of this length is. */
export function findPiece(text: string, of: string): string | undefined {
  const within = text.toLowerCase()
  const whole = of.toLowerCase()
  for (let start = 0; start + windowLength <= whole.length; start++) {
    const piece = whole.slice(start, start + windowLength)
    if (within.includes(piece)) return piece
  }
  return undefined
}
