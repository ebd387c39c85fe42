import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { describeError } from '../api/describe-error.ts'
import { Notice } from '../shared/notice.tsx'
import classes from './overview-page.module.css'

type Props = {
  title: string
  /** The query whose result the panel shows. */
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'data' | 'error' | 'refetch'>
  /** Room that the panel takes while it loads, in lines. */
  lines: number
  children: ReactNode
}

/** A part of the overview with its own states, so that one that fails leaves the others. */
export function Panel({ title, query, lines, children }: Props) {
  const titleId = useId()
  // What was found before stays while the service is away.
  const hasFailed = query.isError && query.data === undefined
  return (
    <section className={classes.panel} aria-labelledby={titleId} aria-busy={query.isPending}>
      <h2 id={titleId}>{title}</h2>
      {hasFailed ? (
        <Notice title="This could not be loaded" text={describeError(query.error)} isAlert>
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </Notice>
      ) : query.isPending ? (
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines without content
          <Skeleton key={line} height="1.1rem" />
        ))
      ) : (
        children
      )}
    </section>
  )
}
