import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection } from './connection.ts'
import type { SendUnavailable } from './send-unavailable.ts'

/** The maximum of extra connections that are read; another one resets the oldest. */
export const extraConnectionsMax = 64
/** How long an extra connection may take to send a request. */
const silentMaxMs = 1_000

const message =
  'Too many connections are open. Send the request again later, or keep fewer of them.'

type ExtrasOptions = {
  sendUnavailable: SendUnavailable
  isProbe(request: IncomingMessage): boolean
}

/** Connections beyond the maximum. Each is read for one request, and only probes are answered. */
export function createExtraConnections({ sendUnavailable, isProbe }: ExtrasOptions) {
  const extras = new Set<Connection>()

  return {
    add(connection: Connection): void {
      const [oldest] = extras
      if (oldest && extras.size >= extraConnectionsMax) {
        extras.delete(oldest)
        oldest.socket.resetAndDestroy()
      }
      extras.add(connection)
    },
    delete(connection: Connection): void {
      extras.delete(connection)
    },
    /** Resets those that sent no request in time. */
    dropSilent(): void {
      const now = performance.now()
      for (const { isEnding, acceptedMs, socket } of extras) {
        if (!isEnding && now - acceptedMs >= silentMaxMs) socket.destroy()
      }
    },
    /** Responds 503 and closes, unless the request is a probe. */
    refuse(request: IncomingMessage, response: ServerResponse): boolean {
      if (isProbe(request)) return false
      sendUnavailable(request, response, message)
      return true
    },
  }
}
