import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePage } from './define-page.ts'
import classes from './page-head.module.css'

type Props = {
  /** A word more, such as how many there are. */
  detail?: ReactNode
  /** What can be done on the page. */
  children?: ReactNode
}

/** The head of a page. */
export function PageHead({ detail, children }: Props) {
  return (
    <header className={classes.head}>
      <Title order={1} fz="1.35rem" lts="-0.02em">
        {usePage().label}
      </Title>
      <span className={classes.detail}>{detail}</span>
      <Group className={classes.actions} gap="0.5rem" ml="auto" wrap="nowrap">
        {children}
      </Group>
    </header>
  )
}
