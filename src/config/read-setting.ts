import { availableParallelism } from 'node:os'
import { didYouMean } from '../nearest-name.ts'

/** One setting: its meaning, its default for people, an example, and a parser of its text. */
export type Setting<T> = {
  name: string
  meaning: string
  default: string
  example: string
  /** Of a text that cannot be read, only the scheme is shown. */
  mayHoldPassword?: true
  /** Throws an Error whose message names what is allowed. */
  read(text: string): T
}

// Parsers of settings. Each throws an Error whose message names what is allowed.

export function oneOf<const T extends string>(values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text)
    if (value !== undefined) return value
    throw new Error(`one of ${values.join(', ')}${didYouMean(text, values, { otherwise: '' })}`)
  }
}

export function notEmpty(text: string): string {
  if (text === '') throw new Error('not empty')
  return text
}

export function readPort(text: string): number {
  if (/^(?:tcp|udp):\/\//.test(text)) {
    throw new Error(
      'a number. This looks like what Kubernetes sets for a Service called petstore: rename the Service, or set enableServiceLinks: false',
    )
  }
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error('a number from 0 to 65535')
  return Number(text)
}

/** `text` has both parts. */
type ListenAddress = { host: string; port: number; text: string }

export function readListenAddress(text: string): ListenAddress {
  const [, bracketed, name, port = ''] =
    /^(?:(?:\[([\da-fA-F:.]+)\]|([A-Za-z\d.-]+)):)?(\d{1,5})$/.exec(text) ?? []
  if (port === '' || Number(port) > 65_535)
    throw new Error('HOST:PORT, [ADDRESS OF IPV6]:PORT or a port, from 0 to 65535')
  const host = bracketed ?? name ?? '127.0.0.1'
  return { host, port: Number(port), text: `${bracketed ? `[${host}]` : host}:${port}` }
}

export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // URL drops an empty query or fragment, so look at the text.
  const isBase =
    url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1') && !/[?#]/.test(text)
  if (!isBase || url.username || url.password)
    throw new Error('an http or https address that ends in /v1')
  return url.href
}

/** Texts between commas, of which each must be valid. */
export function listOf(isValid: (text: string) => boolean, allowed: string) {
  return (text: string): readonly string[] => {
    const all = text.split(',').map((one) => one.trim())
    if (all.every(isValid)) return all
    throw new Error(allowed)
  }
}

export const readOrigins = listOf(
  (origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin),
  'origins such as https://shop.example.com, separated by commas, or *',
)

/** RFC 9116, section 2.5.3: an email address or a telephone number is written as a URL too. */
export const readContacts = listOf(
  (contact) =>
    /^(?:mailto:[^@]+@[^@]+|https:\/\/.+|tel:\+\d.*)$/.test(contact) &&
    /^[!-~]+$/.test(contact) &&
    URL.canParse(contact),
  'addresses such as mailto:security@example.com or https://example.com/security, separated by commas',
)

export function integer(min: number, max: number) {
  return (text: string): number => {
    if (/^(?:0|[1-9]\d{0,11})$/.test(text) && Number(text) >= min && Number(text) <= max)
      return Number(text)
    throw new Error(`a number from ${min} to ${max}`)
  }
}

const processesMax = 64

/** `auto` is one per core. */
export function readProcesses(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), processesMax)
  try {
    return integer(1, processesMax)(text)
  } catch (error) {
    throw new Error(`${(error as Error).message}, or auto`)
  }
}
