import type { ReactNode } from 'react'
import { type Int64, PetstoreApiError } from '../../../client/src/index.ts'
import { isSame } from '../base/is-same.ts'
import type { AddingVerb } from '../shared/record-words.ts'
import { changedMembers } from './members.ts'

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
    fetchVersion(id: Int64): Promise<Version<T>>
    send(id: Int64, change: Change, options: { ifMatch: string | undefined }): Promise<T>
    /** How fields of somebody else's version are shown, if not by their text. */
    shown?: { [Name in keyof Draft]?: (value: Draft[Name]) => ReactNode }
  }
  /** What is said of an error that belongs to no field, in place of what the service says. */
  explain?(error: unknown, draft: Draft): Promise<string>
}

/** Changes a record, only if it is still as `before`. Resolves to their version where somebody else was faster. */
export async function sendChange<T extends { id: Int64 }, Draft>(
  saver: Pick<Saver<T, Draft>, 'bodyOf'>,
  changing: NonNullable<Saver<T, Draft>['changing']>,
  before: T,
  draft: Draft,
): Promise<{ saved: T; theirs?: never } | { saved?: never; theirs: T }> {
  const { draftOf, fetchVersion, send } = changing
  const bodyOf = (record: T) => saver.bodyOf(draftOf(record))
  const { record, etag } = await fetchVersion(before.id)
  const changes = changedMembers(saver.bodyOf(draft), bodyOf(before))
  const missing = changedMembers(changes, bodyOf(record))
  // Also where a browser has repeated the request by itself.
  if (Object.keys(missing).length === 0) return { saved: record }
  if (!isSame(draftOf(record), draftOf(before))) return { theirs: record }
  try {
    return { saved: await send(before.id, missing, { ifMatch: etag }) }
  } catch (error) {
    if (!(error instanceof PetstoreApiError) || error.status !== 412) throw error
    return sendChange(saver, changing, before, draft)
  }
}
