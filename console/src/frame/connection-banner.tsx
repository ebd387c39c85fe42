import { type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { reader } from '../api/client.ts'
import { connection, noteConnection } from '../api/watched-fetch.ts'
import { useStore } from '../base/store.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './messages.module.css'

const pollEveryMs = 3_000

const sentences = {
  lost: 'The service cannot be reached.',
  unavailable: 'The service is temporarily unavailable.',
}

const readinessKey = 'readiness'
/** What this page shows and could not get. */
const failed = {
  type: 'active',
  predicate: ({ queryKey: [key], state }: Query) =>
    key !== readinessKey && (state.error !== null || state.fetchFailureCount > 0),
} as const

/** Shows that the service cannot be reached or cannot serve, and polls until it can. */
export function ConnectionBanner() {
  const { state } = useStore(connection)
  const queryClient = useQueryClient()

  // A service may be ready and yet refuse what this page shows, so that is fetched again.
  async function pollReadiness(signal: AbortSignal) {
    const readiness = await reader.service.getReadiness({ signal })
    if (queryClient.getQueryCache().findAll(failed).length === 0) noteConnection('open')
    else await queryClient.refetchQueries(failed)
    return readiness
  }

  useQuery({
    queryKey: [readinessKey],
    queryFn: ({ signal }) => pollReadiness(signal),
    enabled: state !== 'open',
    refetchInterval: pollEveryMs,
    retry: false,
    gcTime: 0,
  })
  return (
    <div role="status" className={classes.list}>
      {state !== 'open' && (
        <div className={classes.message} data-warning>
          <Icon name="alert" />
          <span className={classes.words}>
            <strong>{sentences[state]}</strong> What you see may be old. What you typed is kept;
            this page asks again every {pollEveryMs / 1_000} seconds.
          </span>
        </div>
      )}
    </div>
  )
}
