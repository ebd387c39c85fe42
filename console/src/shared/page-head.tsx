import { Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { environment } from '../api/page-context.ts'
import classes from './page-head.module.css'

type Props = {
  title: string
  /** A word more, such as how many there are. */
  detail?: ReactNode
  /** What can be done on the page. */
  children?: ReactNode
}

/** The head of a page, and the title of the window. */
export function PageHead({ title, detail, children }: Props) {
  useEffect(() => {
    document.title = `${environment === 'staging' ? '[staging] ' : ''}${title} · Pet store`
  }, [title])
  return (
    <header className={classes.head}>
      <Title order={1} className={classes.title}>
        {title}
      </Title>
      <span className={classes.detail}>{detail}</span>
      <div className={classes.actions}>{children}</div>
    </header>
  )
}
