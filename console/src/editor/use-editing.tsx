import { type ReactNode, useEffect, useRef, useState } from 'react'
import { describeError, problemsByField } from '../api/describe-error.ts'
import { isSame } from '../base/is-same.ts'
import { addedSentence, recordName } from '../shared/record-words.ts'
import { showProblem } from '../shared/toasts.ts'
import { useUnsaved } from '../shared/unsaved.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import type { Opened } from '../table/record-page.tsx'
import type { Identified } from '../table/record-window.ts'
import { changedMembers, givenMembers } from './members.ts'
import { type Saver, sendChange } from './saver.ts'

/** `saved` is also called where the form was left while it was saved. */
export type Edited<T, Draft> = Opened<T> & {
  saver: Saver<T, Draft>
  /** What its id is the id of, where that is not the kind of record. */
  idOf?: string
  /** The record to change; a new one where there is none. */
  record?: T | undefined
  draft: Draft
}

/** What is wrong with a draft: with its fields, and with the whole. */
type Problems = { fields: Record<string, ReactNode>; whole: string | undefined }

const none: Problems = { fields: {}, whole: undefined }

/** `conflict`: somebody else has changed the record; the reader chooses whose version it is to have. */
type State = 'typing' | 'saving' | 'conflict'

/** What is typed into a form, what is wrong with it, and what becomes of it. */
export function useEditing<T extends Identified, Draft extends object>(edited: Edited<T, Draft>) {
  const { saver, record, saved, close } = edited
  const { kind, changing } = saver
  const { idOf = kind } = edited
  // The record as it was opened; after a conflict, as somebody else has saved it.
  const [before, setBefore] = useState(record)
  const [draft, setDraft] = useState(edited.draft)
  const [state, setState] = useState<State>('typing')
  const [problems, setProblems] = useState(none)
  // Fields that were changed since they were refused.
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const isShown = useIsShown()
  const add = useAdding(saver)
  const base = before && changing ? changing.draftOf(before) : edited.draft
  useUnsaved(state === 'saving' ? 'saving' : isSame(draft, base) ? 'nothing' : 'typed', draft)

  async function save() {
    setCorrected([])
    const mistakes = saver.mistakesIn?.(draft) ?? {}
    if (Object.keys(mistakes).length > 0) return stop('typing', { ...none, fields: mistakes })
    setProblems(none)
    setState('saving')
    try {
      const { saved: result, theirs } =
        before && changing
          ? await sendChange(saver, changing, before, draft)
          : { saved: await add(draft) }
      if (theirs !== undefined) return meet(theirs)
      if (result === undefined) return
      saved(result, sentenceOn(result, saver, record === undefined))
      // `saving` stays: the form of a saved record closes.
      if (isShown.current) close()
    } catch (error) {
      stop('typing', await problemsOf(error, saver, draft))
    }
  }

  function stop(next: State, { fields, whole }: Problems) {
    setProblems({ fields, whole })
    setState(next)
    if (isShown.current) return
    const subject = record === undefined ? `New ${idOf}` : recordName(idOf, record.id)
    showProblem(`${subject}: ${whole ?? 'It was refused, and not saved.'}`)
  }

  /** Somebody else was faster: goes on with mine over theirs, and says at the fields how those differ. */
  function meet(theirs: T) {
    if (changing === undefined) return
    const their = changing.draftOf(theirs)
    const mine = { ...their, ...changedMembers(draft, base) }
    setDraft(mine)
    setBefore(theirs)
    stop('conflict', {
      fields: Object.fromEntries(
        (Object.keys(saver.labels) as (keyof Draft & string)[])
          .filter((name) => !isSame(mine[name], their[name]))
          .map((name) => [
            name,
            <Theirs
              key={name}
              value={changing.shown?.[name]?.(their[name]) ?? String(their[name])}
            />,
          ]),
      ),
      whole: `Somebody else changed this ${kind} in the meantime. Yours is not saved yet.`,
    })
  }

  return {
    draft,
    isSaving: state === 'saving',
    isConflict: state === 'conflict',
    problems: {
      fields: Object.fromEntries(
        Object.entries(problems.fields).filter(([name]) => !corrected.includes(name)),
      ),
      whole: state === 'conflict' || corrected.length === 0 ? problems.whole : undefined,
    },
    /** Changes with each refusal. */
    refused: problems,
    set(changes: Partial<Draft>) {
      if (state === 'saving') return
      setDraft((now) => ({ ...now, ...changes }))
      setCorrected((names) => [...names, ...Object.keys(changes)])
    },
    // In a conflict another press of Enter is no answer.
    submit: () => void (state === 'typing' && save()),
    saveMine: () => void save(),
    takeTheirs() {
      if (before !== undefined) saved(before)
      close()
    },
  }
}

/** What somebody else has put in a field. */
function Theirs({ value }: { value: ReactNode }) {
  return (
    <span className={classes.named}>
      Theirs: {typeof value === 'string' ? <UserText text={value} /> : value}
    </span>
  )
}

/** Adds a record. A repetition of the same draft after a lost response has one effect. */
function useAdding<T, Draft>({ adding, bodyOf }: Saver<T, Draft>) {
  const lastTry = useRef({ draft: '', key: '' })
  return async (draft: Draft): Promise<T | undefined> => {
    const text = JSON.stringify(draft)
    // `crypto.randomUUID` is missing where the page comes without HTTPS.
    const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
    if (lastTry.current.draft !== text) lastTry.current = { draft: text, key }
    // The service says what is missing.
    return adding?.send(givenMembers(bodyOf(draft)), { idempotencyKey: lastTry.current.key })
  }
}

/** What belongs to no field is said of the whole. */
async function problemsOf<T, Draft>(
  error: unknown,
  { labels, explain }: Saver<T, Draft>,
  draft: Draft,
): Promise<Problems> {
  const found = problemsByField(error)
  // What the service says of a field begins after its name.
  const fields = Object.fromEntries(
    Object.entries(labels)
      .filter(([name]) => found[name] !== undefined)
      .map(([name, label]) => [name, `${label} ${found[name]}`]),
  )
  if (Object.keys(fields).length > 0) return { fields, whole: found[''] }
  return { fields, whole: (await explain?.(error, draft)) ?? describeError(error) }
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
