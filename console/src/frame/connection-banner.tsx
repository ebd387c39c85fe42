import { useQuery } from '@tanstack/react-query'
import { client, once } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { Icon } from '../shared/icon.tsx'
import { useStore } from '../shared/store.ts'
import classes from './connection-banner.module.css'

const askEveryMs = 3_000

const sentences = {
  lost: 'The service cannot be reached.',
  unavailable: 'The service cannot serve at the moment.',
}

/** Says when the service cannot be reached, and asks until it can be again. */
export function ConnectionBanner() {
  const { state } = useStore(connection)
  useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => client.service.getReadiness({ ...once, signal }),
    enabled: state !== 'open',
    refetchInterval: askEveryMs,
    retry: false,
    gcTime: 0,
  })
  return (
    <div role="status" className={classes.status}>
      {state !== 'open' && (
        <p className={classes.banner}>
          <Icon name="alert" />
          <span>
            <strong>{sentences[state]}</strong> What you see may be old. What you typed is kept;
            this page asks again every {askEveryMs / 1_000} seconds.
          </span>
        </p>
      )}
    </div>
  )
}
