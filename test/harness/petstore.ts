import type { Petstore } from '../../src/start-petstore.ts'

/** Sends a request to a test's store with its key, and with `body` as JSON. */
export function call(
  store: Pick<Petstore, 'baseUrl' | 'key'>,
  path: string,
  {
    body,
    headers = {},
    ...init
  }: Omit<RequestInit, 'body' | 'headers'> & {
    body?: unknown
    headers?: Record<string, string>
  } = {},
): Promise<Response> {
  return fetch(`${store.baseUrl}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${store.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}
