import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { Icon } from './icon.tsx'
import { IdText } from './id-text.tsx'
import classes from './record-form.module.css'

type Props = {
  title: string
  /** The record that is changed, such as `category`, and its id. */
  subject?: { of: string; id: Int64 } | undefined
  /** The word of the button, such as `Save`. */
  submitLabel: string
  isSaving: boolean
  /** Something was typed that is not saved. */
  isChanged: boolean
  /** What the service says against the whole, not against one field. */
  problem: string | undefined
  submit(): void
  close(): void
  /** A button that does something else with the record. */
  more?: ReactNode
  /** In place of fields and buttons: a question that comes first. */
  question?: ReactNode
  children: ReactNode
}

/** A form in its place in a list: Enter saves, Escape closes; twice where that loses what was typed. */
export function RecordForm(props: Props) {
  const {
    title,
    subject,
    submitLabel,
    isSaving,
    isChanged,
    problem,
    submit,
    close,
    more,
    question,
    children,
  } = props
  const titleId = useId()
  const [isLeaving, setIsLeaving] = useState(false)

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (!isSaving) submit()
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEscape = event.key === 'Escape' && !event.defaultPrevented
    setIsLeaving(isEscape && isChanged)
    if (isEscape && (isLeaving || !isChanged)) close()
    const isSaveKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (isSaveKey && !isSaving && question === undefined) submit()
  }

  return (
    <form
      className={classes.form}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      noValidate
    >
      <header className={classes.head}>
        <h2 id={titleId}>{title}</h2>
        {subject !== undefined && <IdText id={subject.id} of={subject.of} />}
      </header>
      {question ?? (
        <>
          <div className={classes.fields}>{children}</div>
          {problem !== undefined && (
            <p role="alert" className={classes.problem}>
              <Icon name="alert" /> {problem}
            </p>
          )}
          <footer className={classes.buttons}>
            <Button type="submit" loading={isSaving}>
              {submitLabel}
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <span className={classes.more}>
              <span className={classes.hint}>Enter saves, Esc closes</span>
              {more}
            </span>
          </footer>
        </>
      )}
      <p role="status" className={classes.leaving}>
        {isLeaving && 'What you typed is not saved. Press Esc again to throw it away.'}
      </p>
    </form>
  )
}
