import { PetstoreClient } from '../../../client/src/index.ts'
import { session } from '../session/session.ts'
import { apiUrl, environment } from './place.ts'
import { watchedFetch } from './watched-fetch.ts'

/** The client of all pages. It sends the key of the session. */
export const client = clientWith(() => session.get()?.key ?? '')

/** Reading is repeated by the page, which looks again anyway. */
export const once = { maxRetries: 0 } as const

/** A client with a key that is not that of the session, such as one that is tried. */
export function clientWith(key: string | (() => string)): PetstoreClient {
  return new PetstoreClient({
    baseUrl: apiUrl.href,
    environment,
    key,
    maxRetries: 2,
    timeoutMs: 20_000,
    fetch: watchedFetch,
    onWarning: () => undefined,
  })
}
