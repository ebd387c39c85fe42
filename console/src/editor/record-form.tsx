import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import classes from './record-form.module.css'

type Props = {
  title: string
  /** The record that is changed, such as `category`, and its id. */
  subject?: { of: string; id: Int64 } | undefined
  /** The word of the button, such as `Save`. */
  submitLabel: string
  isSaving: boolean
  /** What the service says against the whole, not against one field. */
  problem: string | undefined
  submit(): void
  /** Closes it; asks before, where something is not saved. */
  leave(): void
  /** A button that does something else with the record. */
  more?: ReactNode
  /** In place of fields and buttons: a question that comes first. */
  question?: ReactNode
  children: ReactNode
}

/** A form in its place in a list: Enter saves, Escape closes. */
export function RecordForm(props: Props) {
  const {
    title,
    subject,
    submitLabel,
    isSaving,
    problem,
    submit,
    leave,
    more,
    question,
    children,
  } = props
  const titleId = useId()

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (!isSaving) submit()
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, repeat, target } = event
    // The Enter that opened the form, or chose in a field, does not save it while it is held.
    if (key === 'Enter' && repeat && target instanceof HTMLInputElement) event.preventDefault()
    // They are the keys of the list of a field while that is open.
    if (target instanceof Element && target.getAttribute('aria-expanded') === 'true') return
    if (key === 'Escape' && !event.defaultPrevented) leave()
    const isSaveKey = key === 'Enter' && !repeat && (event.ctrlKey || event.metaKey)
    if (isSaveKey && !isSaving && question === undefined) submit()
  }

  return (
    <form
      className={classes.form}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      aria-busy={isSaving}
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
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <span className={classes.more}>
              <span className={classes.hint}>Enter saves, Esc closes</span>
              {more}
            </span>
          </footer>
        </>
      )}
    </form>
  )
}
