import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Int64, PetstoreApiError } from '../../../client/src/index.ts'
import { describeError, problemsByField } from '../api/describe-error.ts'
import { following } from '../api/following.ts'
import { isSame } from '../base/is-same.ts'
import { newIdempotencyKey } from '../base/new-idempotency-key.ts'
import type { AddingVerb } from '../shared/record-words.ts'
import type { Shown, Versions } from './conflict.tsx'
import { changedMembers, givenMembers } from './members.ts'

/** A record with the ETag that a change of it has to name. */
export type Version<T> = { record: T; etag?: string | undefined }

/** How records of a kind are added and changed. The fields of a draft are named like the members of a request. */
export type Saver<T, Draft, New extends object = object, Change extends object = object> = {
  /** Such as `category`. */
  kind: string
  /** The label of each field. */
  labels: Record<string, string>
  /** What cannot be sent as it is typed, by field. */
  mistakesIn?(draft: Draft): Record<string, string>
  /** The members of a request; `undefined` where nothing can be sent, `null` where the record is to have none. */
  bodyOf(draft: Draft): { [Name in keyof (New & Change)]?: unknown }
  adding?: { verb: AddingVerb; send(body: New, options: { idempotencyKey: string }): Promise<T> }
  /** Where records of the kind can be changed. */
  changing?: {
    /** Such as `Edit`. */
    verb: string
    /** What is said once it is saved, where that is not `Pet 5 was saved.` */
    done?(record: T): string
    draftOf(record: T): Draft
    /** The record as it is now; throws where there is none. */
    fetchVersion(id: Int64, signal?: AbortSignal): Promise<Version<T>>
    send(id: Int64, change: Change, options: { ifMatch: string | undefined }): Promise<T>
    /** How fields are shown where two versions are compared, if not by their label and text. */
    shown?: Shown<T, Draft>
    /** What is compared, if not the fields with a label. My draft was begun with `opened`. */
    compare?(mine: Draft, theirs: T, opened: T): Versions[]
  }
  /** What is said of an error that belongs to no field, in place of what the service says. */
  explain?(error: unknown, draft: Draft): Promise<string>
}

/** What the service says against a draft: of the fields, and of the whole. */
type Problems = { fields: Record<string, string>; whole: string | undefined }

/** How a save ended: with the record as it is now, or with a sentence about why it was not saved. */
type Outcome<T> = { record: T; reason?: never } | { record?: never; reason: string }

const none: Problems = { fields: {}, whole: undefined }

const changedBefore =
  'Somebody else has changed it. You choose between the versions when you save yours.'
const changedMeanwhile = 'Somebody else changed it in the meantime. Your change was not saved.'

/** Adds a record, or changes the one that was read: only if it is still as it was. */
export function useSave<T extends { id: Int64 }, Draft>(
  saver: Saver<T, Draft>,
  own: T | undefined,
) {
  const [isSaving, setIsSaving] = useState(false)
  const [problems, setProblems] = useState(none)
  // The record as it is now, where somebody else was faster.
  const [theirs, setTheirs] = useState<Version<T>>()
  const [accepted, setAccepted] = useState<Version<T>>()
  const { changing, bodyOf } = saver
  const isSameDraft = (one: T, other: T) => isSame(changing?.draftOf(one), changing?.draftOf(other))
  const read = useVersion(saver, own)
  const add = useAdding(saver)

  async function change(opened: T, draft: Draft, over = accepted): Promise<T | undefined> {
    if (changing === undefined) return undefined
    const version = over ?? read ?? (await changing.fetchVersion(opened.id))
    // What was opened may be older than what is read now.
    const isOld = over === undefined && !isSameDraft(version.record, opened)
    const changesOf = (record: T) => changedMembers(bodyOf(draft), bodyOf(changing.draftOf(record)))
    const sent = isOld ? { theirs: version } : await sendChange(changing, version, changesOf)
    if (sent.theirs) setTheirs(sent.theirs)
    return sent.record
  }

  /** Their version is the one that is changed from now on. */
  function accept(version: Version<T>) {
    setAccepted(version)
    setTheirs(undefined)
    setProblems(none)
  }

  /** Resolves once it is saved, or `problems` or `theirs` says why it is not. `over`: their version, which the draft replaces. */
  async function save(draft: Draft, over?: Version<T>): Promise<Outcome<T>> {
    const mistakes = saver.mistakesIn?.(draft) ?? {}
    setProblems({ fields: mistakes, whole: undefined })
    const [mistake] = Object.values(mistakes)
    if (mistake !== undefined) return { reason: mistake }
    setIsSaving(true)
    if (over !== undefined) accept(over)
    try {
      const record = await (own === undefined ? add(draft) : change(own, draft, over))
      // `isSaving` stays true: the form of a saved record closes.
      if (record !== undefined) return { record }
      setIsSaving(false)
      return { reason: changedMeanwhile }
    } catch (error) {
      const found = await problemsOf(error, saver, draft)
      setProblems(found)
      setIsSaving(false)
      return { reason: found.whole ?? describeError(error) }
    }
  }

  const known = accepted?.record ?? own
  const isOutdated = !isSaving && known && !isSameDraft(read?.record ?? known, known)
  const whole = problems.whole ?? (isOutdated ? changedBefore : undefined)
  return { isSaving, problems: { ...problems, whole }, theirs, save, accept }
}

/** The record as it is now, as soon as that is known. */
function useVersion<T extends { id: Int64 }, Draft>(
  { kind, changing }: Saver<T, Draft>,
  own: T | undefined,
): Version<T> | null | undefined {
  const { data } = useQuery({
    ...following<Version<T> | null>([kind === 'stock' ? 'inventory' : kind]),
    queryKey: ['version', kind, String(own?.id)],
    queryFn: ({ signal }) => (own && changing ? changing.fetchVersion(own.id, signal) : null),
    enabled: own !== undefined && changing !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data
}

/** Adds a record. A repetition of the same draft after a lost response has one effect. */
function useAdding<T, Draft>({ adding, bodyOf }: Saver<T, Draft>) {
  const lastTry = useRef({ draft: '', key: '' })
  return async (draft: Draft): Promise<T | undefined> => {
    const text = JSON.stringify(draft)
    if (lastTry.current.draft !== text) lastTry.current = { draft: text, key: newIdempotencyKey() }
    // The service says what is missing.
    return adding?.send(givenMembers(bodyOf(draft)), { idempotencyKey: lastTry.current.key })
  }
}

/**
 * Changes a version; `changesOf` returns what of a record is to be another. Resolves to their version where somebody else was
 * faster.
 */
async function sendChange<T extends { id: Int64 }, Draft>(
  { fetchVersion, send }: NonNullable<Saver<T, Draft>['changing']>,
  { record, etag }: Version<T>,
  changesOf: (record: T) => object,
): Promise<{ record?: T; theirs?: Version<T> }> {
  const changes = changesOf(record)
  if (Object.keys(changes).length === 0) return { record }
  try {
    return { record: await send(record.id, changes, { ifMatch: etag }) }
  } catch (error) {
    if (!(error instanceof PetstoreApiError) || error.status !== 412) throw error
    const now = await fetchVersion(record.id)
    // It is as it should be: a browser repeats a request by itself where the connection broke before the response.
    const isDone = !Object.keys(changesOf(now.record)).some((name) => name in changes)
    return isDone ? { record: now.record } : { theirs: now }
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
