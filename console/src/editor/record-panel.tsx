import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { IdText } from '../shared/id-text.tsx'
import classes from './record-form.module.css'

type Props = {
  title: string
  subject: { of: string; id: Int64 }
  close(): void
  children: ReactNode
}

/** A record in its place in a list, to read: Escape closes. */
export function RecordPanel({ title, subject, close, children }: Props) {
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  // A button within may be gone once it was pressed.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus()
  })
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={classes.form}
      aria-labelledby={titleId}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) close()
      }}
    >
      <header className={classes.head}>
        <h2 id={titleId}>{title}</h2>
        <IdText id={subject.id} of={subject.of} />
      </header>
      {children}
    </section>
  )
}
