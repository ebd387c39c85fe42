import { PetstoreClient } from '../../../client/src/index.ts'
import { apiUrl, environment } from './page-context.ts'
import { session } from './session.ts'
import { watchedFetch } from './watched-fetch.ts'

/** The client of all pages. It sends the key of the session. */
export const client = clientWith(() => session.get()?.key ?? '')

/** Options of reads: TanStack Query repeats them, so the client does not. */
export const noRetries = { maxRetries: 0 } as const

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
