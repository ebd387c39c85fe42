import { Button, CloseButton, Text } from '@mantine/core'
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reader } from '../api/client.ts'
import { connection, noteConnection } from '../api/watched-fetch.ts'
import { useStore } from '../base/store.ts'
import {
  type DelayedAction,
  delayedActions,
  sendDelayed,
  undoDelayed,
} from '../shared/delayed-actions.ts'
import { Icon } from '../shared/icon.tsx'
import { Sentence } from '../shared/sentence.tsx'
import { dismiss, holdMessagesWhile, type Toast, toasts } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './messages.module.css'

// A finger that was lifted still hovers.
const attended = matchMedia('(hover: hover)').matches ? ':hover, :focus-within' : ':focus-within'

/** What has happened, and what is about to and can be undone. */
export function Messages() {
  const delayed = useStore(delayedActions)
  const shown = useStore(toasts)
  const section = useRef<HTMLElement>(null)
  useEffect(() => holdMessagesWhile(() => section.current?.matches(attended) ?? false), [])
  return (
    <section ref={section} className={classes.messages} aria-label="Messages">
      <ConnectionBanner />
      <div aria-live="polite" className={classes.list}>
        {shown.map((toast) => (
          <Shown key={toast.id} {...toast} />
        ))}
      </div>
      <div aria-live="polite" className={classes.list}>
        {delayed.map((action) => (
          <Delayed key={action.id} {...action} />
        ))}
      </div>
    </section>
  )
}

function Shown({ id, text, isProblem, action }: Toast) {
  return (
    <div className={classes.message} data-problem={isProblem || undefined}>
      <Icon name={isProblem ? 'alert' : 'check'} />
      <span className={classes.words}>
        <Sentence text={text} />
      </span>
      {action && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            action.run()
            dismiss(id)
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  )
}

function Delayed({ id, verb, name, remainingMs, isSending }: DelayedAction) {
  return (
    <div className={classes.message}>
      <span className={classes.words}>
        {verb} <UserText text={name} />
      </span>
      <Text c="dimmed" aria-hidden="true">
        {isSending ? '…' : `${Math.ceil(remainingMs / 1_000)} s`}
      </Text>
      <Button
        size="compact-sm"
        leftSection={<Icon name="undo" size={16} />}
        disabled={isSending}
        onClick={() => undoDelayed(id)}
      >
        Undo
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={isSending}
        onClick={() => void sendDelayed(id)}
      >
        Now
      </Button>
    </div>
  )
}

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
function ConnectionBanner() {
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
