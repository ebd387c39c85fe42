import { withArticle } from './list-words.ts'
import type { Scope } from './operation.ts'
import type { TSchema } from './type.ts'

/** A type of event. `record`: the kind of the changed record; `scope`: who may read it; `data`: the schema of the record. */
type EventType = {
  record: string
  scope: Scope
  data: TSchema
  /** What happened, such as "A pet was added". */
  summary: string
  /** For the example: what changed, as it is and as it was. Events of a type without it have no `previous`. */
  change?: { after: object; before: object }
  /** Whether `data` may change in any version, as the operations on the record. */
  stability?: 'beta' | undefined
}

/** The types of the usual writes of a kind of record. `change`: for the example of an update. */
export function usualEvents<Noun extends string>(
  { noun, Item: data }: { noun: Noun; Item: TSchema },
  scope: Scope,
  change: NonNullable<EventType['change']>,
  stability?: EventType['stability'],
) {
  const event = { record: noun, scope, data, stability }
  const subject = `A${withArticle(noun).slice(1)}`
  return {
    [`${noun}.created`]: { ...event, summary: `${subject} was added` },
    [`${noun}.updated`]: { ...event, summary: `${subject} was changed`, change },
    [`${noun}.deleted`]: { ...event, summary: `${subject} was deleted` },
  } satisfies EventTypes
}

/** Event types by name, such as `pet.created`. */
export type EventTypes = Readonly<Record<string, EventType>>
