import type { Scope } from './operation.ts'
import type { TSchema } from './type.ts'

/** A type of event. `record`: the kind of the changed record; `scope`: who may read it; `data`: the schema of the record. */
type EventType = { record: string; scope: Scope; data: TSchema }

/** Event types by name, such as `pet.created`. */
export type EventTypes = Readonly<Record<string, EventType>>
