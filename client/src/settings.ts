import { PetstoreConfigurationError } from './errors.ts'
import { baseUrls } from './generated/base-urls.ts'

export type Environment = 'production' | 'staging'

export type PetstoreOptions = {
  /** The API key, or a function that gives the current one. */
  key?: string | (() => string | Promise<string>) | undefined
  /** The base address, ending in `/v1`; without it that of a store on this machine. */
  baseUrl?: string | undefined
  /** The environment of the base address: a key of the other one is refused before it is sent. */
  environment?: Environment | undefined
  /** How long one attempt may take: 30 s by default. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again: 4 times by default. */
  maxRetries?: number | undefined
  /** How long to wait before the first retry, about: 250 ms by default, twice as long before each further one. */
  retryDelayMs?: number | undefined
  /** Further headers of every request. */
  headers?: Record<string, string> | undefined
  /** In place of the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
  /** Takes warnings, once each, in place of `console.warn`. */
  onWarning?: ((message: string) => void) | undefined
}

const prefixes: Record<Environment, string> = { production: 'pet_live_', staging: 'pet_test_' }

export type Settings = ReturnType<typeof settingsOf>

/** The options with their defaults. Throws `PetstoreConfigurationError`. */
export function settingsOf(options: PetstoreOptions) {
  const { key } = options
  const environment = environmentOf(options)
  const baseUrl = checkBaseUrl(options.baseUrl ?? baseUrls[environment ?? 'production'])
  const checkKey = (current: string) => checkKeyFor(current, environment, baseUrl)
  if (typeof key === 'string') checkKey(key)
  return {
    baseUrl,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 4,
    retryDelayMs: options.retryDelayMs ?? 250,
    headers: options.headers ?? {},
    // Called without a receiver: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    warn: options.onWarning ?? ((message: string) => console.warn(message)),
    /** The key to send. Throws `PetstoreConfigurationError`. */
    async currentKey(): Promise<string> {
      const current = typeof key === 'function' ? await key() : key
      if (current) return checkKey(current)
      throw new PetstoreConfigurationError(
        'This operation needs an API key: new PetstoreClient({ key: … }).',
      )
    },
  }
}

function environmentOf({ key, baseUrl, environment }: PetstoreOptions): Environment | undefined {
  if (environment !== undefined) return environment
  if (baseUrl !== undefined) {
    return /^https?:\/\/(?:[^/]*[.-])?staging[.:/-]/i.test(baseUrl) ? 'staging' : undefined
  }
  return typeof key === 'string' && key.startsWith(prefixes.staging) ? 'staging' : 'production'
}

function checkBaseUrl(baseUrl: string): string {
  const { location } = globalThis as { location?: { href: string } }
  try {
    const url = new URL(baseUrl, location?.href)
    const isPlain =
      /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === ''
    if (isPlain) return url.href.replace(/\/$/, '')
  } catch {}
  throw new PetstoreConfigurationError(
    `baseUrl must be an address such as ${baseUrls.production}; received ${baseUrl}.`,
  )
}

/** Never quotes the key. */
function checkKeyFor(key: string, environment: Environment | undefined, baseUrl: string): string {
  if (!/^[!-~]+$/.test(key)) {
    throw new PetstoreConfigurationError(
      'The key has characters that no key has, such as white space or a line break at its end.',
    )
  }
  const other = environment === 'production' ? 'staging' : 'production'
  if (environment !== undefined && key.startsWith(prefixes[other])) {
    throw new PetstoreConfigurationError(
      `The key begins with ${prefixes[other]}, so it is one of ${other}, and ${baseUrl} is ${environment}. Use a key that begins with ${prefixes[environment]}; nothing was sent.`,
    )
  }
  return key
}
