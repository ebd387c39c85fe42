import type { Observer } from '../../src/http/observe.ts'
import { createRecord, inventedOperations } from './invented-operations.ts'
import { startListening } from './start-listening.ts'

/** A service with the invented operations, on its own port. */
export async function startInvented(
  settings: Record<string, string> = {},
  observers: readonly Observer[] = [],
) {
  const recorded = createRecord()
  const app = await startListening(settings, {
    observers,
    prepare: ({ serve }) => inventedOperations(recorded).forEach(serve),
  })
  return {
    ...app,
    recorded,
    put: (path: string, headers: string, body: string) =>
      `PUT /v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n${headers}\r\n${body}`,
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${app.port}/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${app.key}`, ...init.headers },
      }),
  }
}
