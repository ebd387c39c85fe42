import { useEffect, useRef, useState } from 'react'
import { addedSentence, recordName } from '../shared/record-words.ts'
import { showProblem } from '../shared/toasts.ts'
import { useUnsaved } from '../shared/unsaved.ts'
import type { Opened } from '../table/record-page.tsx'
import type { Identified } from '../table/record-window.ts'
import { compareDrafts } from './conflict.tsx'
import { mergedDraft } from './members.ts'
import { type Saver, useSave, type Version } from './use-save.ts'

/** `saved` is also called where the form was left while it was saved. */
export type Edited<T, Draft> = Opened<T> & {
  saver: Saver<T, Draft>
  /** What its id is the id of, where that is not the kind of record. */
  idOf?: string
  /** The record to change; a new one where there is none. */
  record?: T | undefined
  draft: Draft
}

/** What is typed into a form, what is wrong with it, and what becomes of it. */
export function useEditing<T extends Identified, Draft extends object>(edited: Edited<T, Draft>) {
  const { saver, record, saved, close } = edited
  const { kind, labels, changing } = saver
  const { idOf = kind } = edited
  // What the draft began as; after a conflict that was resolved, their version.
  const [base, setBase] = useState(edited.draft)
  const [draft, setDraft] = useState(base)
  const isShown = useIsShown()
  // Fields that were changed since they were refused.
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const { isSaving, problems, theirs, save, accept } = useSave(saver, record)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base)
  useUnsaved(isSaving ? 'saving' : isChanged ? 'typed' : 'nothing', draft)

  async function send(chosen: Draft, over?: Version<T>) {
    setCorrected([])
    const { record: result, reason } = await save(chosen, over)
    if (result !== undefined) saved(result, sentenceOn(result, saver, record === undefined))
    if (isShown.current) return result === undefined ? undefined : close()
    const subject = record === undefined ? `New ${idOf}` : recordName(idOf, record.id)
    if (reason !== undefined) showProblem(`${subject}: ${reason}`)
  }

  /** What the reader chooses between where somebody else was faster. */
  function conflictWith(theirs: Version<T>, { draftOf, ...words }: NonNullable<typeof changing>) {
    const their = { record: theirs.record, draft: draftOf(theirs.record) }
    const mine = mergedDraft(draft, base, their.draft)
    function changeTheirs() {
      setDraft(mine)
      setBase(their.draft)
    }
    return {
      members:
        words.compare?.(mine, theirs.record, record ?? theirs.record) ??
        compareDrafts({ labels, shown: words.shown }, mine, their),
      keepMine() {
        changeTheirs()
        void send(mine, theirs)
      },
      takeTheirs() {
        saved(theirs.record)
        close()
      },
      edit() {
        changeTheirs()
        accept(theirs)
      },
    }
  }

  return {
    draft,
    isSaving,
    problems,
    corrected,
    conflict: theirs && changing && conflictWith(theirs, changing),
    set(changes: Partial<Draft>) {
      if (isSaving) return
      setDraft((now) => ({ ...now, ...changes }))
      setCorrected((names) => [...names, ...Object.keys(changes)])
    },
    submit: () => void (isSaving || theirs || send(draft)),
  }
}

/** What is said of a record once it is saved. */
function sentenceOn<T extends Identified, Draft>(
  result: T,
  { kind, adding, changing }: Saver<T, Draft>,
  isNew: boolean,
): string | undefined {
  if (isNew) return adding && addedSentence(adding.verb, kind, result.id)
  return changing?.done?.(result) ?? `${recordName(kind, result.id)} was saved.`
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
