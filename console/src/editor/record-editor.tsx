import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import { showProblem } from '../shared/toasts.ts'
import { leaveForm, useUnsaved } from '../shared/unsaved.ts'
import { FormActions } from '../table/record-actions.tsx'
import type { Opened } from '../table/record-page.tsx'
import type { Identified } from '../table/record-window.ts'
import { Conflict } from './conflict.tsx'
import { mergedDraft } from './members.ts'
import classes from './record-editor.module.css'
import { type Saver, useSave, type Version } from './use-save.ts'

/** What the fields of a form work with. */
export type FieldTools<Draft> = {
  draft: Draft
  set(changes: Partial<Draft>): void
  /** The properties of the field of a text. */
  text(name: keyof Draft & string): TextProperties
  /** What is wrong, by field. */
  problems: Record<string, string>
  /** Nothing can be typed while it is being saved. */
  isSaving: boolean
  submit(): void
}

type TextProperties = {
  label: string | undefined
  value: string
  readOnly: boolean
  error: string | undefined
  onChange(event: { currentTarget: { value: string } }): void
}

/** `saved` is also called where the form was left while it was saved. */
type Props<T, Draft, New extends object, Change extends object> = Opened<T> & {
  saver: Saver<T, Draft, New, Change>
  /** What its id is the id of, where that is not the kind of record. */
  idOf?: string
  /** The record to change; a new one where there is none. */
  record?: T | undefined
  /** What is offered to be done is done to it, where that is more than the record. */
  row?: Identified | undefined
  draft: Draft
  children(fields: FieldTools<Draft>): ReactNode
}

/**
 * Adds or changes a record in its place in the list: Enter saves, Escape closes. What the service says is told at the fields;
 * where somebody else was faster, one chooses between the versions.
 */
export function RecordEditor<
  T extends Identified,
  Draft extends object,
  New extends object,
  Change extends object,
>(props: Props<T, Draft, New, Change>) {
  const { saver, record, saved, close, children } = props
  const { kind, labels, changing } = saver
  const { idOf = kind } = props
  const words = record === undefined ? saver.adding : changing
  // What the draft began as; after a conflict that was resolved, their version.
  const [base, setBase] = useState(props.draft)
  const [draft, setDraft] = useState(base)
  const isShown = useIsShown()
  const titleId = useId()
  const { isSaving, problems, theirs, save, accept } = useSave(saver, record)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base)
  useUnsaved(isSaving ? 'saving' : isChanged ? 'typed' : 'nothing', draft)

  // What was refused may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal has other problems
  useEffect(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [problems.fields])

  async function submit(chosen = draft, over?: Version<T>) {
    const { record: result, reason } = await save(chosen, over)
    if (result !== undefined) saved(result, words?.done(result))
    if (isShown.current) return result === undefined ? undefined : close()
    if (reason !== undefined) showProblem(`${subjectOf(idOf, record)}: ${reason}`)
  }

  const set = (changes: Partial<Draft>) => isSaving || setDraft((now) => ({ ...now, ...changes }))

  function questionOf(theirs: Version<T>, { draftOf, compare }: NonNullable<typeof changing>) {
    const mine = mergedDraft(draft, base, draftOf(theirs.record))
    function changeTheirs() {
      setDraft(mine)
      setBase(draftOf(theirs.record))
    }
    return (
      <Conflict
        of={kind}
        members={compare(mine, theirs.record, record ?? theirs.record)}
        keepMine={() => {
          changeTheirs()
          void submit(mine, theirs)
        }}
        takeTheirs={() => {
          saved(theirs.record)
          close()
        }}
        edit={() => {
          changeTheirs()
          accept(theirs)
        }}
      />
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, repeat, target } = event
    // An Enter that is still held, from opening the form or choosing in a field, does not save.
    if (key === 'Enter' && repeat && target instanceof HTMLInputElement) event.preventDefault()
    // While the list of a field is open, the keys are those of the list.
    if (target instanceof Element && target.getAttribute('aria-expanded') === 'true') return
    if (key === 'Escape' && !event.defaultPrevented) leaveForm(close)
    const isSaveKey = key === 'Enter' && !repeat && (event.ctrlKey || event.metaKey)
    if (isSaveKey && !isSaving && theirs === undefined) void submit()
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) void submit()
      }}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      aria-busy={isSaving}
      noValidate
    >
      <header className={classes.head}>
        <h2 id={titleId}>{words?.title}</h2>
        {record !== undefined && <IdText id={record.id} of={idOf} />}
      </header>
      {theirs && changing ? (
        questionOf(theirs, changing)
      ) : (
        <>
          <div className={classes.fields}>
            {children({
              draft,
              set,
              text: (name) => ({
                label: labels[name],
                value: String(draft[name]),
                readOnly: isSaving,
                error: problems.fields[name],
                onChange: ({ currentTarget: { value } }) =>
                  set({ [name]: value } as Partial<Draft>),
              }),
              problems: problems.fields,
              isSaving,
              submit: () => void (isSaving || submit()),
            })}
          </div>
          {problems.whole !== undefined && (
            <p role="alert" className={classes.problem}>
              <Icon name="alert" /> {problems.whole}
            </p>
          )}
          <footer className={classes.buttons}>
            <Button type="submit" loading={isSaving}>
              {words?.submit}
            </Button>
            <Button variant="default" onClick={() => leaveForm(close)}>
              Cancel
            </Button>
            <span className={classes.more}>
              <span className={classes.hint}>Enter saves, Esc closes</span>
              {record && <FormActions record={props.row ?? record} close={close} />}
            </span>
          </footer>
        </>
      )}
    </form>
  )
}

/** Whether the component is still in the page. */
function useIsShown() {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

/** Such as `Pet 5`, in front of what is said of it elsewhere. */
function subjectOf(kind: string, record: { id: Int64 } | undefined): string {
  return record === undefined
    ? `New ${kind}`
    : `${kind[0]?.toUpperCase()}${kind.slice(1)} ${record.id}`
}
