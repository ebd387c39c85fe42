import type * as Type from './type.ts'

/** What the schema of a member does not say. Without rules, clients send the member, and `null` in a change removes an optional one. */
type MemberRules = {
  /** Whether the service assigns it: clients do not send it. */
  isAssigned?: true
  /** Its schema in a new record, where that is another. */
  new?: Type.TSchema
  /** Its schema in a change, where that does not follow; one that the service assigns can be changed then. */
  change?: Type.TSchema
  /** Whether events omit it. */
  isUnrecorded?: true
  /** Its column, where that is not its name in snake case; null where it is not stored. */
  column?: string | null
  /** Whether only statements of its own write its column, or none, as of an expression: inserts and updates leave it. */
  isApart?: true
  /** Whether the texts of a list are stored as one, with spaces between them; else as JSON. */
  isWords?: true
  /** Whether the service may have stored the value, where its type does not say that. */
  isSound?(value: unknown): boolean
}

const rules = Symbol('rules')

/** A schema with these rules. */
export type Ruled<Rules> = { readonly [rules]: Rules }

/** The schema of a member with rules. `Type.Optional` goes around it. */
export function member<Schema extends Type.TSchema, const Rules extends MemberRules>(
  schema: Schema,
  added: Rules,
): Schema & Ruled<Rules> {
  return { ...schema, [rules]: { ...rulesOf(schema), ...added } }
}

/** The rules of a member. */
export function rulesOf(schema: Type.TSchema): MemberRules {
  return (schema as Partial<Ruled<MemberRules>>)[rules] ?? {}
}
