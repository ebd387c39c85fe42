import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'
import { Icon } from '../shared/icon.tsx'
import { addingLabel } from '../shared/record-words.ts'
import { Sentence } from '../shared/sentence.tsx'
import { leaveForm } from '../shared/unsaved.ts'
import cells from '../table/cells.module.css'
import { FormActions } from '../table/record-actions.tsx'
import type { Identified } from '../table/record-window.ts'
import classes from './record-editor.module.css'
import { type Edited, useEditing } from './use-editing.tsx'

/** What the fields of a form work with. */
export type FieldTools<Draft> = {
  draft: Draft
  set(changes: Partial<Draft>): void
  /** The properties of the field of a text. */
  text(name: keyof Draft & string): TextProperties
  /** What is wrong, by field. */
  problems: Record<string, ReactNode>
  /** Nothing can be typed while it is being saved. */
  isSaving: boolean
  submit(): void
}

type TextProperties = {
  label: string | undefined
  value: string
  readOnly: boolean
  error: ReactNode
  onChange(event: { currentTarget: { value: string } }): void
}

type Props<T, Draft> = Edited<T, Draft> & { children(fields: FieldTools<Draft>): ReactNode }

/**
 * Adds or changes a record in its place in the list: Enter saves, Escape closes. What the service says is told at the fields;
 * where somebody else was faster, one chooses between the versions.
 */
export function RecordEditor<T extends Identified, Draft extends object>({
  children,
  ...edited
}: Props<T, Draft>) {
  const { saver, record, close } = edited
  const { kind, labels, adding, changing } = saver
  const editing = useEditing(edited)
  const { draft, isSaving, isConflict, problems, refused, set, submit } = editing
  const titleId = useId()

  // What was refused may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal has other problems
  useEffect(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [refused])

  const text = (name: keyof Draft & string): TextProperties => ({
    label: labels[name],
    value: String(draft[name]),
    readOnly: isSaving,
    error: problems.fields[name],
    onChange: ({ currentTarget: { value } }) => set({ [name]: value } as Partial<Draft>),
  })

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => onFormKey(event, { close, submit })}
      aria-labelledby={titleId}
      aria-busy={isSaving}
      noValidate
    >
      <header className={classes.head}>
        <h2 id={titleId}>
          {record ? `${changing?.verb} the ${kind}` : adding && addingLabel(adding.verb, kind)}
        </h2>
        {record && <span className={cells.quiet}>{String(record.id)}</span>}
      </header>
      <div className={classes.fields}>
        {children({ draft, set, text, problems: problems.fields, isSaving, submit })}
      </div>
      {problems.whole !== undefined && (
        <p role="alert" className={classes.problem}>
          <Icon name="alert" />
          <span>
            <Sentence text={problems.whole} />
          </span>
        </p>
      )}
      <footer className={classes.buttons}>
        {isConflict ? (
          <>
            <Button onClick={editing.saveMine}>Save mine</Button>
            <Button variant="default" onClick={editing.takeTheirs}>
              Keep theirs
            </Button>
          </>
        ) : (
          <>
            <Button type="submit" loading={isSaving}>
              {record ? 'Save' : adding?.verb}
            </Button>
            <Button variant="default" onClick={() => leaveForm(close)}>
              Cancel
            </Button>
          </>
        )}
        <span className={classes.more}>
          <span className={classes.hint}>Enter saves, Esc closes</span>
          {record && <FormActions record={record} close={close} />}
        </span>
      </footer>
    </form>
  )
}

/** Enter in a field saves, as in every form; Ctrl+Enter does anywhere in it, and Escape closes it. */
function onFormKey(event: KeyboardEvent, { close, submit }: { close(): void; submit(): void }) {
  const { key, repeat, target } = event
  // While the list of a field is open, the keys are those of the list.
  const isInList = target instanceof Element && target.getAttribute('aria-expanded') === 'true'
  // An Enter that is still held, from opening the form or choosing in a field, does not save.
  if (key === 'Enter' && (isInList || repeat) && target instanceof HTMLInputElement)
    event.preventDefault()
  if (isInList) return
  if (key === 'Escape' && !event.defaultPrevented) leaveForm(close)
  if (key === 'Enter' && !repeat && (event.ctrlKey || event.metaKey)) submit()
}
