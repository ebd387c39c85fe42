import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../config/settings.ts'
import type { Random } from '../../context/context.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32 // 190.5 bits
const checksumLength = 6
const prefixes: Record<Environment, string> = { production: 'pet_live_', staging: 'pet_test_' }

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
  if (!environment) return undefined
  const length = prefixes[environment].length + secretLength + checksumLength
  const isIntact =
    key.length === length &&
    checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
  return isIntact ? environment : undefined
}

/** Whether letters and digits contain a key without its prefix: the checksum covers the prefix too. */
export function holdsSecret(text: string): boolean {
  const last = text.length - secretLength - checksumLength
  for (let start = 0; start <= last; start++) {
    const secret = text.slice(start, start + secretLength)
    const end = start + secretLength
    const checksum = text.slice(end, end + checksumLength)
    if (Object.values(prefixes).some((prefix) => checksumOf(prefix + secret) === checksum)) {
      return true
    }
  }
  return false
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
