import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../config/settings.ts'
import type { Random } from '../../context/context.ts'
import { startsLikeKey } from '../../contract/key-text.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32 // 190.5 bits
const checksumLength = 6
/** The beginning of the keys of an environment. */
export const prefixes = { production: 'pet_live_', staging: 'pet_test_' } satisfies Record<
  Environment,
  string
>
const keyLength = prefixes.production.length + secretLength + checksumLength

/**
 * A new key: prefix of its environment, random base62, and a checksum that tells a mistyped key from an unknown one.
 */
export function mintKey(environment: Environment, random: Random): string {
  let secret = ''
  while (secret.length < secretLength) {
    for (const byte of random(secretLength)) {
      // Bytes beyond the largest multiple of 62 would bias the characters.
      if (byte < 248 && secret.length < secretLength) secret += alphabet[byte % 62]
    }
  }
  const unchecked = prefixes[environment] + secret
  return unchecked + checksumOf(unchecked)
}

/** The environment of a well-formed key; `undefined` for other texts. */
export function environmentOfKey(key: string): Environment | undefined {
  const environment = (Object.keys(prefixes) as Environment[]).find((name) =>
    key.startsWith(prefixes[name]),
  )
  const isIntact =
    key.length === keyLength &&
    checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
  return isIntact ? environment : undefined
}

/** What a text that is no well-formed key most likely is. It repeats nothing of it, and no double quote. */
export function describeMalformedKey(text: string): string {
  if (/^bearer\b/i.test(text))
    return 'The word Bearer is there twice: send it once, then the API key.'
  if (/^["'].*["']$/.test(text)) return 'Send the API key without quotes around it.'
  if (/^[<{$]|api_?key/i.test(text)) {
    return 'This stands for an API key: put the key in its place, and check that variables are replaced.'
  }
  if (!startsLikeKey(text)) {
    return 'This is not an API key of a pet store: one begins with pet_live_ or pet_test_.'
  }
  if (text.length < keyLength) {
    return `This API key is cut off: it has ${text.length} characters of ${keyLength}.`
  }
  return 'This API key was mistyped: its checksum does not match.'
}

/** SHA-256, the only stored form of a key. A slow hash adds nothing to a random key of this length. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** A part of a key, enough to recognise it. */
export function hintOf(key: string): string {
  return `${key.slice(0, prefixes.production.length)}…${key.slice(-4)}`
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let index = 0; index < checksumLength; index++) {
    checksum = alphabet[rest % 62] + checksum
    rest = Math.floor(rest / 62)
  }
  return checksum
}
