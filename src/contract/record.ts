import { inPascalCase } from './event-schemas.ts'
import { type Ruled, rulesOf } from './member.ts'
import { bodyOf, changeOf, nullable, objectOf, pageOf } from './schemas.ts'
import * as Type from './type.ts'

type Given<Members> = {
  [Name in keyof Members as Members[Name] extends Ruled<{ isAssigned: true }>
    ? never
    : Name]: Members[Name]
}

type Changed<Schema extends Type.TSchema> = Schema extends { '~optional': true }
  ? Type.TUnsafe<Type.Static<Schema> | null>
  : Schema

type Change<Members extends Type.TProperties> = {
  [Name in keyof Given<Members>]: Type.TOptional<Changed<Members[Name & keyof Members]>>
}

type Declaration<Noun extends string, Plural extends string, Members> = {
  noun: Noun
  plural?: Plural
  /** The id first, in the order of responses. */
  members: Members
  description?: string
  examples: { record: object; list?: readonly object[]; new: object; changes: readonly object[] }
}

/**
 * A kind of record, declared once. From its members follow the schemas of a record, of a new one and of a change here; columns,
 * reading, writing and checks of rows in `src/db/records.ts`; the usual writes in `src/features/record-writes.ts`.
 */
export function defineRecord<
  const Noun extends string,
  Members extends Type.TProperties,
  const Plural extends string = `${Noun}s`,
>(declaration: Declaration<Noun, Plural, Members>) {
  const { noun, members, examples } = declaration
  const plural = declaration.plural ?? (`${noun}s` as Plural)
  const name = inPascalCase(noun)
  const sent = Object.entries(members).filter(([, schema]) => !rulesOf(schema).isAssigned)
  const Item = objectOf(
    name,
    mapped(Object.entries(members), received),
    declaration.description ?? `A ${noun}.`,
    examples.record,
  )
  const schemas = {
    Item: Item as Type.TObject<Members>,
    New: bodyOf(
      `New${name}`,
      Object.fromEntries(sent),
      `A ${noun} to add.`,
      examples.new,
    ) as never as Type.TObject<Given<Members>>,
    Change: changeOf(
      `${name}Change`,
      mapped(sent, changed),
      ...examples.changes,
    ) as never as Type.TObject<Change<Members>>,
    Page: pageOf(inPascalCase(plural), Item, examples.list ?? [examples.record]),
  }
  /** For `operationsOn`. */
  const kind = {
    ...{ record: noun, path: `/${plural}` as const, client: plural },
    ...{ item: schemas.Item, schemas },
  }
  return { noun, plural, kind, ...schemas }
}

function mapped(
  members: readonly [string, Type.TSchema][],
  map: (schema: Type.TSchema) => Type.TSchema,
): Type.TProperties {
  return Object.fromEntries(members.map(([name, schema]) => [name, map(schema)]))
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
