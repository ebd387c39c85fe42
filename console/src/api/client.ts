import { PetstoreClient } from '../../../client/src/index.ts'
import { apiUrl, environment } from './page-context.ts'
import { session } from './session.ts'
import { watchedFetch } from './watched-fetch.ts'

const keyOfSession = () => session.get()?.key ?? ''

/** The client of all pages. It sends the key of the session. */
export const client = clientWith(keyOfSession)

/** The same for reads: TanStack Query repeats them, so this client does not. */
export const reader = clientWith(keyOfSession, 0)

/** A client with a key that is not that of the session, such as one that is tried. */
export function clientWith(key: string | (() => string), maxRetries = 2): PetstoreClient {
  return new PetstoreClient({
    baseUrl: apiUrl.href,
    environment,
    key,
    maxRetries,
    timeoutMs: 20_000,
    fetch: watchedFetch,
    onWarning: () => undefined,
  })
}
