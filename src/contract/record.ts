import { inPascalCase, withArticle } from './list-words.ts'
import { type Ruled, rulesOf } from './member.ts'
import { bodyOf, changeOf, nullable, objectOf, pageOf } from './schemas.ts'
import * as Type from './type.ts'

type Assigned<Members> = {
  [Name in keyof Members]: Members[Name] extends Ruled<{ isAssigned: true }> ? Name : never
}[keyof Members]

type Changeable<Members> = {
  [Name in keyof Members]: Members[Name] extends Ruled<{ change: Type.TSchema }> ? Name : never
}[keyof Members]

type Given<Members, Sent extends keyof Members> = {
  [Name in Sent]: Members[Name] extends Ruled<{ new: infer New extends Type.TSchema }>
    ? New
    : Members[Name]
}

type Changed<Schema extends Type.TSchema> =
  Schema extends Ruled<{
    change: infer Own extends Type.TSchema
  }>
    ? Own
    : Schema extends { '~optional': true }
      ? Type.TUnsafe<Type.Static<Schema> | null>
      : Schema

type Change<Members extends Type.TProperties, Sent extends keyof Members> = {
  [Name in Sent | Changeable<Members>]: Type.TOptional<Changed<Members[Name]>>
}

type Declaration<Noun extends string, Plural extends string, Members, Sent> = {
  noun: Noun
  plural?: Plural
  /** The kind of which each record has one of these at most: its id is that of the record. */
  partOf?: { record: string; path: string }
  /** The id first, in the order of responses. */
  members: Members
  /** The members of a new record, in the order of bodies; absent, all that the service does not assign. */
  sent?: readonly Sent[]
  description?: string
  /** Whether the published record is never to have another member. */
  isClosed?: true
  examples: { record: object; list?: readonly object[]; new: object; changes: readonly object[] }
}

/**
 * A kind of record, declared once. From its members follow the schemas of a record, of a new one and of a change here; columns,
 * reading, writing and checks of rows in `src/db/records/records.ts`; the usual writes in `src/features/record-writes.ts`.
 */
export function defineRecord<
  const Noun extends string,
  Members extends Type.TProperties,
  const Plural extends string = `${Noun}s`,
  const Sent extends keyof Members & string = Exclude<keyof Members, Assigned<Members>> & string,
>(declaration: Declaration<Noun, Plural, Members, Sent>) {
  const { noun, members, isClosed, examples, partOf } = declaration
  const subject = `A${withArticle(noun).slice(1)}`
  const plural = declaration.plural ?? (`${noun}s` as Plural)
  const name = inPascalCase(partOf ? `${partOf.record}.${noun}` : noun)
  const named = Object.entries(members)
  const sent: string[] = declaration.sent
    ? [...declaration.sent]
    : named.flatMap(([name, schema]) => (rulesOf(schema).isAssigned ? [] : [name]))
  const changeable = named.flatMap(([name, schema]) => (rulesOf(schema).change ? [name] : []))
  const schemasBy = (names: Iterable<string>, map: (schema: Type.TSchema) => Type.TSchema) =>
    Object.fromEntries(Array.from(names, (name) => [name, map(members[name] as Type.TSchema)]))
  const Item = {
    ...objectOf(
      name,
      schemasBy(Object.keys(members), received),
      declaration.description ?? `${subject}.`,
      examples.record,
    ),
    ...(isClosed && { additionalProperties: false }),
  } as Type.TObject<Members>
  const schemas = {
    Item,
    New: bodyOf(
      `New${name}`,
      schemasBy(sent, (schema) => rulesOf(schema).new ?? schema),
      `${subject} to add.`,
      examples.new,
    ) as never as Type.TObject<Given<Members, Sent>>,
    Change: changeOf(
      `${name}Change`,
      schemasBy(new Set([...sent, ...changeable]), changed),
      ...examples.changes,
    ) as never as Type.TObject<Change<Members, Sent>>,
    Page: pageOf(inPascalCase(plural), Item, examples.list ?? [examples.record]),
  }
  /** For `operationsOn`. */
  const kind = {
    record: noun,
    path: `/${plural}` as const,
    client: partOf ? `${partOf.record}s.${plural}` : plural,
    ...(partOf && { partOf }),
    item: Item,
    schemas,
  }
  const recorded = named.flatMap(([name, schema]) => (rulesOf(schema).isUnrecorded ? [] : [name]))
  type Shown = Type.Static<typeof Item>
  return {
    noun,
    plural,
    partOf,
    kind,
    ...schemas,
    /** A stored record as clients see it: it may have secrets. */
    shown: (stored: Shown): Shown => only(stored as object, Object.keys(members)) as Shown,
    /** As events have it. */
    recorded: (stored: object): object => only(stored, recorded),
  }
}

/** The members of these names, in their order. */
function only(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

/** In a response an instant is in UTC, in milliseconds. */
function received(schema: Type.TSchema): Type.TSchema {
  if ((schema as { format?: string }).format !== 'date-time') return schema
  const inUtc = { ...schema, maxLength: 30 }
  return Type.isOptional(schema) ? Type.Optional(inUtc) : inUtc
}

/** The schema of an optional member also takes `null`. */
function changed(schema: Type.TSchema): Type.TSchema {
  const means = 'to remove it'
  const own = rulesOf(schema).change
  if (own) return own
  if (!Type.isOptional(schema)) return schema
  const { description = '', examples = [] } = schema as {
    description?: string
    examples?: unknown[]
  }
  return nullable(schema, means, {
    description: `${description.replace(/\.$/, '')}; \`null\` ${means}.`,
    examples: [...examples, null],
  })
}
