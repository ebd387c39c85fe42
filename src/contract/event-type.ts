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
}

/** Event types by name, such as `pet.created`. */
export type EventTypes = Readonly<Record<string, EventType>>
