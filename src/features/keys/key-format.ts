import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../config/settings.ts'
import type { Random } from '../../context/context.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32 // 190.5 bits
const checksumLength = 6
const prefixes: Record<Environment, string> = { production: 'pet_live_', staging: 'pet_test_' }

/** A new key: prefix of its environment, random base62, and a checksum that tells a typo from an unknown key. */
export function mintKey(environment: Environment, random: Random): string {
  let secret = ''
  while (secret.length < secretLength) {
    for (const byte of random(secretLength)) {
      // A byte beyond the largest multiple of 62 would make some characters likelier than others.
      if (byte < 248 && secret.length < secretLength) secret += alphabet[byte % 62]
    }
  }
  const unchecked = prefixes[environment] + secret
  return unchecked + checksumOf(unchecked)
}

/** Which environment a well-formed key belongs to; `undefined` for what is no key at all. */
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

/** SHA-256, all that is stored of a key: with this much randomness a slow hash would add nothing. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Enough of a key to recognise it, too little to use it. */
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
