import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useStore } from '../base/store.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import cells from '../table/cells.module.css'
import { ActionButtons } from '../table/record-actions.tsx'
import type { Identified } from '../table/record-window.ts'
import classes from './record-editor.module.css'

type Props = {
  title: string
  record: Identified
  close(): void
  children: ReactNode
}

/** A record in its place in a list, to read: Escape closes. */
export function RecordPanel({ title, record, close, children }: Props) {
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  // A button within, or that of a message, may be gone once it was pressed.
  useStore(delayedActions)
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
        <span className={cells.quiet}>{String(record.id)}</span>
      </header>
      {children}
      <footer className={classes.buttons}>
        <ActionButtons record={record} />
        <Button
          className={classes.more}
          variant="default"
          size="compact-sm"
          onClick={close}
          autoFocus
        >
          Close
        </Button>
      </footer>
    </section>
  )
}

/** What is known of a record; members without a value are left out. */
export function Members({ members }: { members: readonly [label: string, value: ReactNode][] }) {
  return (
    <dl className={classes.members}>
      {members.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
