import { createStore } from '../base/store.ts'
import { endSession } from './session.ts'

/** `lost`: no answer arrived. `unavailable`: the service says that it cannot serve now. */
type Connection = { state: 'open' | 'lost' | 'unavailable'; sinceMs: number }

/** Whether the service is reachable, according to the last request. */
export const connection = createStore<Connection>({ state: 'open', sinceMs: 0 })

export function noteConnection(state: Connection['state']): void {
  if (connection.get().state !== state) connection.set({ state, sinceMs: performance.now() })
}

/**
 * `fetch` that notes whether the service can be reached, and whether it still takes the key. Cookies are never sent. What is
 * sent by a page that is being closed arrives nevertheless.
 */
export async function watchedFetch(
  url: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, credentials: 'omit', keepalive: isLeft() })
    if (!isUnavailable(response)) {
      if (!isReadiness(url)) noteConnection('open')
    } else if (!isCount(init) && !isStream(init)) noteConnection('unavailable')
    if (response.status === 401) await noteRefusal(response.clone(), init)
    return response
  } catch (error) {
    if (!init.signal?.aborted && !isStream(init)) noteConnection('lost')
    throw error
  }
}

let isClosed = false
addEventListener('pagehide', () => (isClosed = true), { capture: true })
addEventListener('pageshow', () => (isClosed = false))

/** Whether the page is being closed, or may be while it is hidden. */
function isLeft(): boolean {
  return isClosed || document.visibilityState === 'hidden'
}

/** Readiness does not prove that other requests succeed. */
function isReadiness(url: RequestInfo | URL): boolean {
  return String(url).endsWith('/health/ready')
}

/** A 503 for a count only says that the count takes too long. */
function isCount({ headers }: RequestInit): boolean {
  return new Headers(headers).get('prefer')?.includes('count=exact') ?? false
}

/** The service has a limit of streams, and what stands in front of it may refuse them: polling tells whether it is there. */
function isStream({ headers }: RequestInit): boolean {
  return new Headers(headers).get('accept') === 'text/event-stream'
}

/** 500 is the failure of one request, not of the service. */
function isUnavailable({ status }: Response): boolean {
  return status >= 502 && status <= 504
}

async function noteRefusal(response: Response, { headers }: RequestInit): Promise<void> {
  const key = new Headers(headers).get('authorization')?.replace(/^Bearer /, '')
  const body = await response.json().catch(() => ({}))
  if (key) endSession(key, String(body.detail ?? body.message ?? 'The service rejected the key.'))
}
