import { focusManager, notifyManager, QueryClient } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/index.ts'
import { session } from './session.ts'

const retriesMax = 2

// Without a key that the service takes nothing is asked for, as in a hidden tab.
session.subscribe(() => {
  focusManager.setFocused(session.get()?.endedBecause === undefined ? undefined : false)
})

// A row that was added here is there when it becomes the active one.
notifyManager.setScheduler(queueMicrotask)

// The state of the connection is noted by the requests themselves; a machine can be offline and the service on it.
const networkMode = 'always'

export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      // Rows are compared where they are shown; comparing whole results too would cost more.
      structuralSharing: false,
      staleTime: 0,
      gcTime: 60_000,
      retry: (failures, error) => failures < retriesMax && isTransient(error),
    },
  },
})

/** A 4xx response does not change when the request is repeated. */
function isTransient(error: unknown): boolean {
  return !(error instanceof PetstoreApiError) || error.status >= 500
}
