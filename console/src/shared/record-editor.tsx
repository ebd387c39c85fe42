import { type ReactNode, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { mergedDraft, type Saver, useSave, type Version } from '../api/use-save.ts'
import { FormActions } from '../table/record-actions.tsx'
import { Conflict, type Versions } from './conflict.tsx'
import { RecordForm } from './record-form.tsx'

/** What the fields of a form work with. */
export type FieldTools<Draft> = {
  draft: Draft
  set(changes: Partial<Draft>): void
  /** What is wrong, by field. */
  problems: Record<string, string>
  submit(): void
}

type Props<T, Draft, Change extends object> = {
  title: string
  /** The word of the button. */
  submitLabel: string
  saver: Saver<T, Draft, Change>
  /** What its id is the id of, where that is not the kind of record. */
  idOf?: string
  /** The record to change; a new one where there is none. */
  record?: T | undefined
  draft: Draft
  /** Their version as a draft, and what of it differs from mine; where records can be changed. */
  versions?: { draftOf(record: T): Draft; compare(mine: Draft, theirs: T): Versions[] }
  /** What is said once it is saved. */
  done(record: T): string
  saved(record: T, sentence?: string): void
  close(): void
  children(fields: FieldTools<Draft>): ReactNode
}

/**
 * Adds or changes a record in its place in the list. What the service says is told at the fields; where somebody else was
 * faster, one chooses between the versions.
 */
export function RecordEditor<T extends { id: Int64 }, Draft extends object, Change extends object>(
  props: Props<T, Draft, Change>,
) {
  const { title, submitLabel, saver, record, versions, done, saved, close, children } = props
  const { idOf = saver.kind } = props
  const [original] = useState(props.draft)
  const [draft, setDraft] = useState(original)
  const { isSaving, problems, theirs, save, accept } = useSave(saver, record)

  async function submit(chosen = draft, over?: Version<T>) {
    const result = await save(chosen, over)
    if (result === undefined) return
    saved(result, done(result))
    close()
  }

  const mine =
    theirs && versions ? mergedDraft(draft, original, versions.draftOf(theirs.record)) : draft
  return (
    <RecordForm
      title={title}
      subject={record && { of: idOf, id: record.id }}
      submitLabel={submitLabel}
      isSaving={isSaving}
      isChanged={JSON.stringify(draft) !== JSON.stringify(original)}
      problem={problems.whole}
      submit={() => void submit()}
      close={close}
      more={record && <FormActions record={record} close={close} />}
      question={
        theirs &&
        versions && (
          <Conflict
            of={saver.kind}
            members={versions.compare(mine, theirs.record)}
            keepMine={() => {
              setDraft(mine)
              void submit(mine, theirs)
            }}
            takeTheirs={() => {
              saved(theirs.record)
              close()
            }}
            edit={() => {
              setDraft(mine)
              accept(theirs)
            }}
          />
        )
      }
    >
      {children({
        draft,
        set: (changes) => setDraft((now) => ({ ...now, ...changes })),
        problems: problems.fields,
        submit: () => void (isSaving || submit()),
      })}
    </RecordForm>
  )
}
