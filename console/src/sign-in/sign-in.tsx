import { Anchor, Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { PetstoreApiError, type Scope } from '../../../client/src/index.ts'
import { clientWith } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { docsUrl, environment } from '../api/page-context.ts'
import { queryClient } from '../api/query-client.ts'
import { signIn, useSession } from '../api/session.ts'
import { EnvironmentBadge } from '../shared/environment-badge.tsx'
import { returnFocus } from '../shared/focus-page.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './sign-in.module.css'

/**
 * Shows the pages once signed in. When the service rejects the key, they stay in place, hidden, with all that was typed, until
 * another key is entered.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session === undefined) return <SignIn />
  const isEnded = session.endedBecause !== undefined
  return (
    <>
      <div
        style={{ display: 'contents', visibility: isEnded ? 'hidden' : 'visible' }}
        inert={isEnded}
      >
        {children}
      </div>
      {isEnded && (
        <div className={classes.over}>
          <SignIn endedBecause={session.endedBecause} />
        </div>
      )}
    </>
  )
}

/** Asks for a key. `endedBecause`: why the last one is not taken any more. */
function SignIn({ endedBecause }: { endedBecause?: string | undefined }) {
  const [key, setKey] = useState('')
  const [focusedBefore] = useState(() => document.activeElement)
  const check = useMutation({
    async mutationFn() {
      const typed = key.trim().replace(/^Bearer\s+/i, '')
      if (typed === '') throw new Error('Paste a key first.')
      signIn(typed, await fetchScopes(typed))
      returnFocus(focusedBefore)
      void queryClient.invalidateQueries()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    check.mutate()
  }

  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="1rem">
      <Paper
        component="form"
        noValidate
        onSubmit={submit}
        withBorder
        bg="var(--card)"
        p="2rem"
        w="min(26rem, 100%)"
      >
        <Stack gap="1.1rem">
          <Group c="dimmed" fw={600} gap="0.6rem">
            <Icon name="paw" size={26} /> Pet store <EnvironmentBadge />
          </Group>
          <Title order={1} fz="1.6rem" lts="-0.02em">
            {endedBecause === undefined ? 'Sign in' : 'Sign in again'}
          </Title>
          {endedBecause === undefined ? (
            <Text c="dimmed">Use a {environment} API key. It is kept in this tab only.</Text>
          ) : (
            <Text role="alert" bg="var(--warning-fill)" bdrs={4} p="0.7rem 0.9rem">
              {endedBecause} What you typed is kept. Sign in with another key to continue.
            </Text>
          )}
          <PasswordInput
            label="API key"
            placeholder={environment === 'staging' ? 'pet_test_…' : 'pet_live_…'}
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            error={check.error && describeError(check.error)}
            autoComplete="off"
            autoFocus
            spellCheck={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key' }}
          />
          <Button type="submit" loading={check.isPending} fullWidth>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            No key? The way to get one is in the{' '}
            <Anchor href={`${docsUrl.href}#key`}>reference</Anchor>.
          </Text>
        </Stack>
      </Paper>
    </Stack>
  )
}

/** The scopes of a key; undefined where the service does not send them. Throws where the service rejects the key. */
async function fetchScopes(key: string): Promise<readonly Scope[] | undefined> {
  try {
    return (await clientWith(key, 0).pets.list({ limit: 1 }, { scopes: true })).scopes
  } catch (error) {
    // The key is valid, but lacks `pets:read`.
    if (error instanceof PetstoreApiError && error.status === 403) return error.scopes
    throw error
  }
}
